import { parentPort } from 'node:worker_threads'
import { openPortionPreparation, type PortionRequest } from '../portion-preparation'
import type { PreparingReply } from './preparing-thread'

/** The program of the thread that prepares portions of imports. Only `PreparingThread` sends requests. */
const prepare = openPortionPreparation()

parentPort?.on('message', (message: PortionRequest & { id: number }) => void run(message))

async function run({ id, ...request }: PortionRequest & { id: number }): Promise<void> {
  try {
    answer({ id, prepared: await prepare(request) })
  } catch (problem) {
    answer({ id, problem: String(problem) })
  }
}

/** A small record is part of a buffer that others share, so it is copied; any other is handed over. */
function answer(reply: PreparingReply): void {
  const buffers = reply.prepared?.history.records.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  )
  parentPort?.postMessage(reply, buffers)
}
