import { type SaxesTagPlain, SaxesParser } from 'saxes'
import { UnreadableExportError } from '../imported-content'

/** The fields of an item that are texts, and its lists. */
export interface WxrItem {
  fields: Map<string, string>
  tags: string[]
  meta: Map<string, string>
  comments: number
}

/** The parts of WordPress' export file that are used. */
export interface WxrFile {
  origin: string | undefined
  /** Display names by login. */
  authors: Map<string, string>
  items: WxrItem[]
}

/**
 * Reads the file without a document type: entities that it would define stay unknown, so none can be huge or name a file.
 */
export function readWxr(xml: string): WxrFile {
  const reader = new WxrReader()
  const parser = new SaxesParser()
  parser.on('doctype', () => {
    throw new UnreadableExportError('The file has a document type, which exports of WordPress do not have.')
  })
  parser.on('error', ({ message }) => {
    throw new UnreadableExportError(`The file is not XML: ${message}`)
  })
  parser.on('opentag', (tag: SaxesTagPlain) => reader.open(tag))
  parser.on('text', (text) => reader.addText(text))
  parser.on('cdata', (text) => reader.addText(text))
  parser.on('closetag', ({ name }) => reader.close(name))
  parser.write(xml.replace(/^\uFEFF/, '')).close()
  return reader.finish()
}

class WxrReader {
  private readonly file: WxrFile = { origin: undefined, authors: new Map(), items: [] }
  private readonly path: string[] = []
  private text = ''
  private item: WxrItem | undefined
  private author = { login: '', name: '' }
  private metaKey = ''
  private isTag = false
  private hasChannel = false

  open({ name, attributes }: SaxesTagPlain): void {
    this.path.push(name)
    this.text = ''
    if (name === 'channel') this.hasChannel = true
    if (name === 'item') this.item = { fields: new Map(), tags: [], meta: new Map(), comments: 0 }
    if (name === 'wp:author') this.author = { login: '', name: '' }
    if (name === 'category') this.isTag = ['category', 'post_tag'].includes(attributes['domain'] ?? '')
  }

  addText(text: string): void {
    this.text += text
  }

  close(name: string): void {
    this.path.pop()
    const value = this.text
    this.text = ''
    const parent = this.path.at(-1)
    if (name === 'item') this.closeItem()
    else if (name === 'wp:author') this.closeAuthor()
    else if (parent === 'wp:author') this.readAuthor(name, value.trim())
    else if (this.item) this.readItem(this.item, name, parent, value)
    else if (name === 'wp:base_blog_url' || (name === 'link' && parent === 'channel'))
      this.file.origin ??= value.trim()
  }

  finish(): WxrFile {
    if (!this.hasChannel)
      throw new UnreadableExportError('This is no export of WordPress. Export it in Tools → Export.')
    return this.file
  }

  private closeItem(): void {
    if (this.item) this.file.items.push(this.item)
    this.item = undefined
  }

  private closeAuthor(): void {
    const { login, name } = this.author
    this.file.authors.set(login, name || login)
  }

  private readAuthor(name: string, value: string): void {
    if (name === 'wp:author_login') this.author.login = value
    if (name === 'wp:author_display_name') this.author.name = value
  }

  private readItem(item: WxrItem, name: string, parent: string | undefined, value: string): void {
    if (name === 'wp:comment') item.comments++
    if (parent === 'wp:postmeta' && name === 'wp:meta_key') this.metaKey = value.trim()
    if (parent === 'wp:postmeta' && name === 'wp:meta_value') item.meta.set(this.metaKey, value)
    if (parent !== 'item') return
    if (name !== 'category') item.fields.set(name, name === 'content:encoded' ? value : value.trim())
    else if (this.isTag && value.trim() !== 'Uncategorized') item.tags.push(value.trim())
  }
}
