import type { Element } from 'hast'
import type { Picture } from '../../post'
import { element, attributeText, text } from './elements'

/** Returns the known facts of a picture, such as its size. */
export type PictureLookup = (address: string) => Pick<Picture, 'width' | 'height'> | undefined

const imagesPrefix = '/_tilth/images/'

/** Widths of the copies of an uploaded picture; browsers request one with `?w=`. */
const copyWidths = [480, 960, 1600]

/** Splits off the size that the studio appends to an address: `/_tilth/images/a.webp#1600x900`. */
function splitSize(address: string): { address: string; width?: number; height?: number } {
  const [, bare = '', width, height] = /^(.*)#(\d{1,5})x(\d{1,5})$/.exec(address) ?? []
  return bare ? { address: bare, width: Number(width), height: Number(height) } : { address }
}

/** The sizes for browsers to choose from, none wider than the picture. */
function srcsetOf(address: string, width: number | undefined): string | undefined {
  if (!address.startsWith(imagesPrefix) || address.includes('?')) return undefined
  const narrower = copyWidths
    .filter((one) => !width || one < width)
    .map((one) => `${address}?w=${one} ${one}w`)
  if (narrower.length === 0) return undefined
  return [...narrower, ...(width ? [`${address} ${width}w`] : [])].join(', ')
}

/** The width of a picture in a text, for browsers to choose a copy by. */
export const pictureSizes = '(min-width: 46rem) 42rem, 100vw'

/** Pictures load from this server only: another server would learn who reads. */
const isExternal = (address: string): boolean => /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)

/** Renders the parser's image element for readers. */
export function renderPicture(image: Element, pictureAt: PictureLookup, isFirst: boolean): Element {
  const written = attributeText(image, 'src')
  const alt = attributeText(image, 'alt')
  if (isExternal(written)) return linkTo(written, alt)
  const { address, ...size } = splitSize(written)
  const { width, height } = { ...size, ...pictureAt(address) }
  const copies = srcsetOf(address, width)
  return element('img', {
    src: address,
    srcSet: copies,
    sizes: copies && pictureSizes,
    alt,
    width,
    height,
    loading: isFirst ? undefined : 'lazy',
    decoding: 'async',
  })
}

const linkTo = (address: string, alt: string): Element =>
  element('a', { href: address, className: ['picture-elsewhere'] }, [text(alt || address)])
