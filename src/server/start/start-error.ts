/** Why Tilth does not start, as one sentence that says how to mend it. Thrown by a step, printed by `main.ts`. */
export class StartError extends Error {
  override readonly name = 'StartRefused'
}
