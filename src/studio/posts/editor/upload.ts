'use client'

import type { Picture } from '#posts/post'
import { paths } from '#studio/paths'

export type UploadResult = { done: true; picture: Omit<Picture, 'alt'> } | { done: false; message: string }

/** Sends a picture to the server, which answers where it is from now on, or why it is not taken. */
export async function upload(slug: string, file: File): Promise<UploadResult> {
  try {
    const answer = await fetch(paths.uploads(slug, file.name), { method: 'POST', body: file })
    return uploadedIn(await answer.json().catch(() => undefined))
  } catch {
    return {
      done: false,
      message: 'The server did not respond. Check that it is running, then try again.',
    }
  }
}

function uploadedIn(response: unknown): UploadResult {
  if (typeof response !== 'object' || response === null) return { done: false, message: uploadRefused }
  const problem = problemIn(response)
  if (problem !== undefined) return { done: false, message: problem }
  if (!('address' in response) || typeof response.address !== 'string')
    return { done: false, message: uploadRefused }
  const { address } = response
  return {
    done: true,
    picture: { address, width: pixelsIn(response, 'width'), height: pixelsIn(response, 'height') },
  }
}

/** The problem of the picture, or of the upload. */
function problemIn(response: object): string | undefined {
  if ('problem' in response) return String(response.problem)
  if (!('error' in response) || typeof response.error !== 'object' || response.error === null)
    return undefined
  return 'message' in response.error ? String(response.error.message) : uploadRefused
}

const uploadRefused = 'The server refused the image. Its log has the reason.'

function pixelsIn(response: object, name: 'width' | 'height'): number | undefined {
  const value: unknown = Reflect.get(response, name)
  return typeof value === 'number' ? value : undefined
}

const isPicture = ({ type }: File): boolean => type.startsWith('image/')

/** The pictures that were pasted or dropped. */
export const picturesIn = (brought: DataTransfer | null): File[] =>
  [...(brought?.files ?? [])].filter(isPicture)

export const pictureTypes = 'image/jpeg,image/png,image/webp,image/avif,image/gif'
