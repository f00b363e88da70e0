import { escapeHtml } from './recall'

export type Attributes = Record<string, string | number | boolean | undefined>

/** `true` stands for an attribute without a value; undefined and false leave it out. */
export function element(name: string, attributes: Attributes, ...content: string[]): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined || value === false
      ? ''
      : ` ${key}${value === true ? '' : `="${escapeHtml(String(value))}"`}`,
  )
  const start = `<${name}${written.join('')}>`
  return name === 'input' || name === 'img' ? start : `${start}${content.join('')}</${name}>`
}
