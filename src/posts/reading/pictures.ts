import type { Element } from 'hast'
import type { Picture } from '../post'
import { element, said, text } from './elements'

/** What is known of a picture that a text names, such as how large it is. */
export type PictureAt = (address: string) => Pick<Picture, 'width' | 'height'> | undefined

const ours = '/_tilth/images/'

/** How wide copies of an uploaded picture are kept; what looks for one asks with `?w=`. */
export const copyWidths = [480, 960, 1600]

/** Its size may stand behind the address, as the studio writes it: `/_tilth/images/a.webp#1600x900`. */
export function sizeIn(address: string): { address: string; width?: number; height?: number } {
  const [, bare = '', width, height] = /^(.*)#(\d{1,5})x(\d{1,5})$/.exec(address) ?? []
  return bare ? { address: bare, width: Number(width), height: Number(height) } : { address }
}

/** Copies for browsers to choose from, none wider than the picture. */
export function copiesOf(address: string, width: number | undefined): string | undefined {
  if (!address.startsWith(ours) || address.includes('?')) return undefined
  const narrower = copyWidths
    .filter((one) => !width || one < width)
    .map((one) => `${address}?w=${one} ${one}w`)
  if (narrower.length === 0) return undefined
  return [...narrower, ...(width ? [`${address} ${width}w`] : [])].join(', ')
}

/** Pictures come from this server alone: one from elsewhere would tell that server who reads. */
export const isElsewhere = (address: string): boolean => /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)

/** The element a reader gets for one the parser made. */
export function drawPicture(image: Element, pictureAt: PictureAt, isFirst: boolean): Element {
  const written = said(image, 'src')
  const alt = said(image, 'alt')
  if (isElsewhere(written)) return linkTo(written, alt)
  const { address, ...size } = sizeIn(written)
  const { width, height } = { ...size, ...pictureAt(address) }
  const copies = copiesOf(address, width)
  return element('img', {
    src: address,
    srcSet: copies,
    sizes: copies && '(min-width: 46rem) 42rem, 100vw',
    alt,
    width,
    height,
    loading: isFirst ? undefined : 'lazy',
    decoding: 'async',
  })
}

const linkTo = (address: string, alt: string): Element =>
  element('a', { href: address, className: ['picture-elsewhere'] }, [text(alt || address)])
