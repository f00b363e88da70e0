import { parentPort, workerData } from 'node:worker_threads'
import { type AaCheckInput, type AaCheckResult, runAaCheck } from '../aa-check'

/** A message of the thread: its progress, and at last the result. */
export type AaCheckMessage = { progress: number } | { result: AaCheckResult }

// a thread has no origin, unlike a window
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const tell = (message: AaCheckMessage): void => parentPort?.postMessage(message)

// only `runOnThread` starts it
const result = runAaCheck(workerData as AaCheckInput, (progress) => tell({ progress }))
tell({ result })
