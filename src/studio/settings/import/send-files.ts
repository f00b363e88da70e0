'use client'

import { paths } from '#studio/paths'

type SendResult = { done: true; id: string } | { done: false; message: string }

interface SendOptions {
  slug: string
  source: string
  files: readonly File[]
  onProgress: (share: number) => void
}

/** A slow connection sends so much within the time that the server gives a request. */
const partBytes = 2 * 1024 ** 2
const waitsMs = [1000, 3000, 9000]

/** Sends files in parts. What has arrived of the same files before is not sent again. */
export async function sendFiles({ slug, source, files, onProgress }: SendOptions): Promise<SendResult> {
  const listed = files.map(({ name, size }) => ({ name, bytes: size }))
  const begun = await post(paths.importFiles(slug), JSON.stringify({ source, files: listed }))
  if (!begun.done) return begun
  const { id, files: kept } = begunUploadIn(begun.answer)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const waiting = [...files]
  let sent = kept.reduce((sum, { received }) => sum + received, 0)
  const onSent = (bytes: number) => onProgress((sent += bytes) / total)
  for (const [index, one] of kept.entries()) {
    const at = waiting.findIndex(({ name, size }) => name === one.name && size === one.bytes)
    const [file] = at < 0 ? [] : waiting.splice(at, 1)
    const problem = file && (await sendFile(slug, { id, index }, { file, from: one.received, onSent }))
    if (problem !== undefined) return { done: false, message: problem }
  }
  return { done: true, id }
}

/** Returns why not all of the file was sent. */
async function sendFile(
  slug: string,
  { id, index }: { id: string; index: number },
  { file, from, onSent }: { file: File; from: number; onSent: (bytes: number) => void },
): Promise<string | undefined> {
  for (let at = from; at < file.size;) {
    const part = file.slice(at, Math.min(file.size, at + partBytes))
    const written = await post(paths.importFiles(slug, { upload: id, file: index, at }), part)
    if (!written.done) return written.message
    const next = numberIn(written.answer, 'received')
    if (next <= at) return unclear
    onSent(next - at)
    at = next
  }
  return undefined
}

/** Tries again where the connection broke off. */
async function post(
  address: string,
  body: BodyInit,
): Promise<{ done: true; answer: object } | { done: false; message: string }> {
  for (const waitMs of [...waitsMs, undefined]) {
    try {
      const response = await fetch(address, { method: 'POST', body })
      const answer: unknown = await response.json()
      if (typeof answer !== 'object' || answer === null) break
      if (response.ok) return { done: true, answer }
      if (response.status < 500) return { done: false, message: problemIn(answer) }
    } catch {
      // the connection, or a proxy that answers with a page
    }
    if (waitMs !== undefined) await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  return { done: false, message: unclear }
}

const unclear = 'The connection broke off. Choose the same files again to continue where it ended.'

function problemIn(answer: object): string {
  if ('problem' in answer) return String(answer.problem)
  if (!('error' in answer) || typeof answer.error !== 'object' || answer.error === null) return unclear
  return 'message' in answer.error ? String(answer.error.message) : unclear
}

interface KeptFile {
  name: string
  bytes: number
  received: number
}

function begunUploadIn(answer: object): { id: string; files: KeptFile[] } {
  const files: unknown = Reflect.get(answer, 'files')
  return {
    id: String(Reflect.get(answer, 'id')),
    files: Array.isArray(files)
      ? files.map((file: object) => ({
          name: String(Reflect.get(file, 'name')),
          bytes: numberIn(file, 'bytes'),
          received: numberIn(file, 'received'),
        }))
      : [],
  }
}

function numberIn(answer: object, name: string): number {
  const value: unknown = Reflect.get(answer, name)
  return typeof value === 'number' ? value : 0
}
