import type { Metadata, Sharp } from 'sharp'
import { type Outcome, failedOutcome } from '#projects/problems'

/** What a picture is kept as: read, turned upright, freed of what its camera wrote down, and written anew. */
export interface EncodedPicture {
  bytes: Buffer
  type: PictureType
  width: number
  height: number
}

/** As what pictures are served, by the end of their address. */
export const pictureTypes = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
} as const
export type PictureType = keyof typeof pictureTypes
export const pictureNames = ['jpg', 'png', 'webp', 'gif'] as const satisfies readonly PictureType[]

/** Widths of copies that browsers may request. */
export const copyWidths: readonly number[] = [480, 960, 1600]

/** Beyond it no screen shows more, and 64 million points are more than any camera of a telephone makes. */
const maxWidth = 3200
const maxPixels = 64_000_000

const encoders: Readonly<Record<string, { type: PictureType; write: (picture: Sharp) => Sharp }>> = {
  jpeg: { type: 'jpg', write: (picture) => picture.jpeg({ quality: 86, progressive: true }) },
  png: { type: 'png', write: (picture) => picture.png() },
  webp: { type: 'webp', write: (picture) => picture.webp({ quality: 86 }) },
  gif: { type: 'gif', write: (picture) => picture.gif() },
  heif: { type: 'webp', write: (picture) => picture.webp({ quality: 86 }) },
}

const unreadablePicture = failedOutcome(
  'This is no picture that can be read. Use JPEG, PNG, WebP, GIF or AVIF.',
)

/** Nothing of the file itself is ever served: a picture that is a page as well would be one no more. */
export async function encodePicture(bytes: Uint8Array): Promise<Outcome<{ picture: EncodedPicture }>> {
  if (isDrawing(bytes)) return failedOutcome('An SVG may hold scripts. Export it as PNG or WebP.')
  try {
    const { picture, metadata } = await openPicture(bytes)
    const writer = encoders[metadata.format ?? '']
    if (!writer) return unreadablePicture
    const upright = picture.autoOrient().resize({ width: maxWidth, withoutEnlargement: true })
    const { data, info } = await writer.write(upright).toBuffer({ resolveWithObject: true })
    // of a moving picture, all its frames stand one above the other
    const height = info.pageHeight ?? info.height
    return { done: true, picture: { bytes: data, type: writer.type, width: info.width, height } }
  } catch (problem) {
    return isTooLarge(problem)
      ? failedOutcome('The picture has over 64 million points. Make it smaller.')
      : unreadablePicture
  }
}

/** Of one that was encoded here. */
export async function measurePicture(bytes: Uint8Array): Promise<Pick<EncodedPicture, 'width' | 'height'>> {
  const { metadata } = await openPicture(bytes)
  return { width: metadata.width, height: metadata.pageHeight ?? metadata.height }
}

/** A copy that is no wider; smaller pictures are not blown up. */
export async function resizeToWidth(bytes: Uint8Array, width: number): Promise<Buffer> {
  const { picture } = await openPicture(bytes)
  return await picture.resize({ width, withoutEnlargement: true }).webp({ quality: 82 }).toBuffer()
}

/** The library is large, and most starts never show it a picture. */
async function openPicture(bytes: Uint8Array): Promise<{ picture: Sharp; metadata: Metadata }> {
  const { default: sharp } = await import('sharp')
  const picture = sharp(bytes, { animated: true, limitInputPixels: maxPixels, failOn: 'error' })
  return { picture, metadata: await picture.metadata() }
}

const isDrawing = (bytes: Uint8Array): boolean => /<(?:svg|!doctype|\?xml|html)\b/i.test(firstBytes(bytes))
const firstBytes = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 1024)).toString('latin1')

const isTooLarge = (problem: unknown): boolean =>
  problem instanceof Error && /pixel limit/.test(problem.message)
