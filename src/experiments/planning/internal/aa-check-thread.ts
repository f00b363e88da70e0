import { Worker } from 'node:worker_threads'
import type { AaCheckInput, AaCheckResult } from '../aa-check'
import type { AaCheckMessage } from './aa-check-program'

/** Runs an A/A check and resolves with its result. */
export type AaCheckRunner = (
  input: AaCheckInput,
  onProgress: (share: number) => void,
) => Promise<AaCheckResult>

/** The build puts it beside the file that this code becomes part of. */
const builtProgram = new URL('./aa-check-program.js', import.meta.url)

/** Seconds of computing, on a thread of its own: requests are answered meanwhile. */
export const runOnThread: AaCheckRunner = (input, onProgress) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(builtProgram, { workerData: input, name: 'aa-check' })
    worker.on('message', (message: AaCheckMessage) => {
      if ('result' in message) resolve(message.result)
      else onProgress(message.progress)
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The A/A check ended with code ${code}.`)))
  })
