import type { Metadata, Sharp } from 'sharp'
import { type Outcome, failedOutcome } from '#projects/problems'

/** A picture as it is stored: decoded, rotated, without metadata, and encoded again. */
interface EncodedPicture {
  bytes: Buffer
  type: PictureType
  width: number
  height: number
}

/** The content types of pictures, by extension. */
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

/** No screen shows more pixels, and 64 million pixels are more than any phone's camera produces. */
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

/** Encodes again instead of serving the file: a picture that is also a page would become only a picture. */
export async function encodePicture(bytes: Uint8Array): Promise<Outcome<{ picture: EncodedPicture }>> {
  if (isDrawing(bytes)) return failedOutcome('An SVG may hold scripts. Export it as PNG or WebP.')
  try {
    const { picture, metadata } = await openPicture(bytes)
    const writer = encoders[metadata.format ?? '']
    if (!writer) return unreadablePicture
    const upright = picture.autoOrient().resize({ width: maxWidth, withoutEnlargement: true })
    const { data, info } = await writer.write(upright).toBuffer({ resolveWithObject: true })
    // the frames of an animation are stacked vertically
    const height = info.pageHeight ?? info.height
    return { done: true, picture: { bytes: data, type: writer.type, width: info.width, height } }
  } catch (problem) {
    return isTooLarge(problem)
      ? failedOutcome('The picture has over 64 million points. Make it smaller.')
      : unreadablePicture
  }
}

/** Measures a picture that was encoded here. */
export async function measurePicture(bytes: Uint8Array): Promise<Pick<EncodedPicture, 'width' | 'height'>> {
  const { metadata } = await openPicture(bytes)
  return { width: metadata.width, height: metadata.pageHeight ?? metadata.height }
}

/** Creates a copy that is at most as wide; smaller pictures are not enlarged. */
export async function resizeToWidth(bytes: Uint8Array, width: number): Promise<Buffer> {
  const { picture } = await openPicture(bytes)
  return await picture.resize({ width, withoutEnlargement: true }).webp({ quality: 82 }).toBuffer()
}

/** Loads the library on first use: it is large, and most processes never need it. */
async function openPicture(bytes: Uint8Array): Promise<{ picture: Sharp; metadata: Metadata }> {
  const { default: sharp } = await import('sharp')
  const picture = sharp(bytes, { animated: true, limitInputPixels: maxPixels, failOn: 'error' })
  return { picture, metadata: await picture.metadata() }
}

const isDrawing = (bytes: Uint8Array): boolean => /<(?:svg|!doctype|\?xml|html)\b/i.test(firstBytes(bytes))
const firstBytes = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 1024)).toString('latin1')

const isTooLarge = (problem: unknown): boolean =>
  problem instanceof Error && /pixel limit/.test(problem.message)
