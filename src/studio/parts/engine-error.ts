/** Whether the engine failed. Next compiles the class again for its pages, so `instanceof` does not match. */
export const isEngineError = (problem: unknown): problem is Error =>
  problem instanceof Error && problem.name === 'EngineError'
