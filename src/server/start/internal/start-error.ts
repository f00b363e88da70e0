/** Why Tilth cannot start and what to do, in one sentence. Thrown by a step, printed by `main.ts`. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
