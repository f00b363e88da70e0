import type { Outcome } from '#projects/problems'
import { copyWidths, encodePicture, resizeToWidth } from './internal/encoding'

/** A picture with the copies that are narrower than it. */
export interface PictureCopies {
  width: number
  height: number
  /** The widest is the picture itself. */
  copies: readonly { width: number; type: string; bytes: Uint8Array }[]
}

/** Encodes a picture as those of posts are, upright and without metadata, in the widths that browsers choose from. */
export async function pictureCopies(bytes: Uint8Array): Promise<Outcome<{ picture: PictureCopies }>> {
  const encoded = await encodePicture(bytes)
  if (!encoded.done) return encoded
  const { bytes: whole, type, width, height } = encoded.picture
  const copies: { width: number; type: string; bytes: Uint8Array }[] = []
  for (const narrower of copyWidths.filter((one) => one < width))
    copies.push({ width: narrower, type: 'webp', bytes: await resizeToWidth(whole, narrower) })
  return { done: true, picture: { width, height, copies: [...copies, { width, type, bytes: whole }] } }
}
