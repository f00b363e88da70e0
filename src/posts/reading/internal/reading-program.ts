import { parentPort } from 'node:worker_threads'
import { openReadingTasks, type ReadingTasks } from './reading-tasks'
import type { ReadingReply } from '../reading-thread'

/** Only `ReadingThread` sends requests. */
interface PostReadingRequest {
  id: number
  task: keyof ReadingTasks
  input: never
}

/** The program of the thread that reads posts. */
const tasks = openReadingTasks()

parentPort?.on('message', ({ id, task, input }: PostReadingRequest) => void run(id, task, input))

async function run(id: number, task: keyof ReadingTasks, input: never): Promise<void> {
  try {
    answer({ id, output: await tasks[task](input) })
  } catch (problem) {
    answer({ id, problem: String(problem) })
  }
}

// a thread has no origin, unlike a window
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const answer = (reply: ReadingReply): void => parentPort?.postMessage(reply)
