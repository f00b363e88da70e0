import type { LibraryImage } from '#posts/pictures/image-library'
import type { Picture } from '#posts/post'
import { bytes } from '#ui/format'

type Image = Pick<LibraryImage, 'file' | 'width' | 'height' | 'bytes' | 'alt'>

export const addressOfImage = ({ file }: Pick<Image, 'file'>): string => `/_tilth/images/${file}`

/** The address of a copy that is at most as wide. */
export const copyOf = (image: Pick<Image, 'file'>, width: 480 | 960): string =>
  `${addressOfImage(image)}?w=${width}`

/** "1600 × 900 · JPG · 212 kB" */
export const imageSizes = ({ file, width, height, bytes: size }: Image): string =>
  [`${width} × ${height}`, (file.split('.')[1] ?? '').toUpperCase(), bytes(size)].join(' · ')

/** The picture as posts have it, with the alternative text that the library offers. */
export const pictureOf = (image: Image): Picture => ({
  address: addressOfImage(image),
  alt: image.alt,
  width: image.width,
  height: image.height,
})

export const markdownOfImage = (image: Image): string => markdownOf(pictureOf(image))

/** The picture's Markdown, with the size behind the address so that the page does not move while it loads. */
export const markdownOf = ({ address, alt, width, height }: Picture): string =>
  `![${safeAlt(alt)}](${address}${width && height ? `#${width}x${height}` : ''})`

const safeAlt = (alt: string): string =>
  alt
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[[\]\\]/g, '\\$&')
    .trim()
