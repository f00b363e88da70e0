'use client'

import type { Picture } from '../../../../../../../posts/post'
import { paths } from '../../../../../../paths'

export type Uploaded = { done: true; picture: Omit<Picture, 'alt'> } | { done: false; message: string }

/** Sends a picture to the server, which answers where it is from now on, or why it is not taken. */
export async function upload(slug: string, file: File): Promise<Uploaded> {
  try {
    const answer = await fetch(paths.uploads(slug, file.name), { method: 'POST', body: file })
    return uploadedIn(await answer.json().catch(() => undefined))
  } catch {
    return {
      done: false,
      message: 'The server did not answer. Look whether it is reachable, then try again.',
    }
  }
}

function uploadedIn(said: unknown): Uploaded {
  if (typeof said !== 'object' || said === null) return { done: false, message: notTaken }
  const problem = problemIn(said)
  if (problem !== undefined) return { done: false, message: problem }
  if (!('address' in said) || typeof said.address !== 'string') return { done: false, message: notTaken }
  const { address } = said
  return {
    done: true,
    picture: { address, width: pixelsIn(said, 'width'), height: pixelsIn(said, 'height') },
  }
}

/** Of the picture itself, or of sending anything there. */
function problemIn(said: object): string | undefined {
  if ('problem' in said) return String(said.problem)
  if (!('error' in said) || typeof said.error !== 'object' || said.error === null) return undefined
  return 'message' in said.error ? String(said.error.message) : notTaken
}

const notTaken = 'The server did not take the picture. Its logs say why.'

function pixelsIn(said: object, name: 'width' | 'height'): number | undefined {
  const value: unknown = Reflect.get(said, name)
  return typeof value === 'number' ? value : undefined
}

export const isPicture = ({ type }: File): boolean => type.startsWith('image/')

/** Of what is pasted or dropped. */
export const picturesIn = (brought: DataTransfer | null): File[] =>
  [...(brought?.files ?? [])].filter(isPicture)

export const pictureTypes = 'image/jpeg,image/png,image/webp,image/avif,image/gif'
