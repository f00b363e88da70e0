import type { Root } from 'hast'
import rehypeSanitize, { type Options } from 'rehype-sanitize'
import { unified } from 'unified'

/**
 * All elements and attributes that a post may contain. HTML in Markdown is text anyway; this is the second protection.
 */
const allowedElements: Options = {
  tagNames: (
    'p br hr em strong del code pre blockquote a img sup span div section h1 h2 h3 h4 h5 h6 ul ol li input figure ' +
    'figcaption aside table thead tbody tr th td details summary'
  ).split(' '),
  attributes: {
    '*': [
      ['className', /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/],
      // only ids of our own: an element called "location" would hide the global of a script
      ['id', /^(?:at|note)-/],
    ],
    a: ['href', 'ariaLabel', 'dataEmbed', 'dataFootnoteRef', 'dataFootnoteBackref'],
    img: ['src', 'srcSet', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
    pre: ['dataLanguage', 'tabIndex'],
    div: ['dataBlock', 'dataAttributes', 'tabIndex', 'role', 'ariaLabel'],
    section: ['dataFootnotes', 'ariaLabel'],
    ol: ['start'],
    input: [['type', 'checkbox'], 'checked', 'disabled', 'ariaLabel'],
    details: ['open'],
    th: ['scope'],
  },
  clobber: [],
  protocols: {
    href: ['http', 'https', 'mailto', 'tel'],
    src: [],
    dataEmbed: ['https'],
  },
  required: { input: { type: 'checkbox', disabled: true } },
}

const sanitizer = unified().use(rehypeSanitize, allowedElements).freeze()

export const sanitize = (tree: Root): Root => sanitizer.runSync(tree)
