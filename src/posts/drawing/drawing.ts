/** The outcome of drawing a diagram. */
export type Drawing =
  | { done: true; svg: string; width: number; height: number }
  /** The message tells the writer what to correct. */
  | { done: false; message: string }
