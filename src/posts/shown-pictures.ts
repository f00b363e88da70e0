import type { Element } from 'hast'
import { visit } from 'unist-util-visit'
import type { PostDocument } from './markdown'
import type { Post } from './post'
import { attributeText } from './reading/internal/elements'

/** The attributes of a picture's element. */
export type ShownPicture = Readonly<Record<string, string | number>>

const shownAttributes = ['src', 'srcSet', 'sizes', 'width', 'height'] as const

/**
 * The pictures of a post's text by the address that its MDX has for each: those beside the file are served from another
 * one, and a size keeps the page from moving.
 */
export function shownPictures(
  { picturesBeside = {} }: Pick<Post, 'picturesBeside'>,
  { tree }: Pick<PostDocument, 'tree'>,
): Record<string, ShownPicture> {
  const byAddress: Record<string, ShownPicture> = {}
  visit(tree, 'element', (image) => {
    const address = image.tagName === 'img' ? attributeText(image, 'src') : ''
    if (address !== '') byAddress[address] = attributesOf(image)
  })
  const beside = Object.entries(picturesBeside).flatMap(([written, address]) => {
    const picture = byAddress[address]
    // the parser of Markdown encodes addresses
    return picture ? [[encodeURI(written), picture] as const] : []
  })
  return { ...byAddress, ...Object.fromEntries(beside) }
}

const attributesOf = ({ properties }: Element): ShownPicture =>
  Object.fromEntries(
    shownAttributes.flatMap((name) => {
      const value = properties[name]
      return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
    }),
  )
