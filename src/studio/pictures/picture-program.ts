import { parentPort } from 'node:worker_threads'
import { drawPicture } from './draw-picture'
import type { PictureInput } from './picture'

/** A drawing that the thread is asked for. */
export interface PictureTask {
  id: number
  input: PictureInput
}

/** The markup of a drawing, or why there is none. */
export type PictureReply = { id: number } & ({ markup: string } | { problem: string })

// a thread has no origin, unlike a window
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const reply = (answer: PictureReply): void => parentPort?.postMessage(answer)

// only `PictureThread` starts it
parentPort?.on('message', ({ id, input }: PictureTask) => {
  drawPicture(input).then(
    (markup) => reply({ id, markup }),
    (problem: unknown) =>
      reply({ id, problem: problem instanceof Error ? problem.message : String(problem) }),
  )
})
