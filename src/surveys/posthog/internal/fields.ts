import { z } from 'zod'
import type { FormattedText } from '../../survey'
import type { HtmlSanitizer } from './posthog-types'

/** The entries that have a value: an absent field is left out of JSON, in both forms. */
export function defined<Value>(fields: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}

/** `description` and `descriptionContentType`, or neither without a text; other screens have other names for the two. */
export function formatted(
  name: string,
  { format, text }: FormattedText,
  sanitize: HtmlSanitizer,
): Record<string, string> {
  if (text === '') return {}
  return {
    [name]: format === 'html' ? sanitize(text) : text,
    [`${name}ContentType`]: format,
  }
}

/** PostHog writes null where a field has no value. */
export const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined)
export const optionalFlag = z
  .boolean()
  .nullish()
  .transform((flag) => flag === true)
export const contentType = z
  .string()
  .nullish()
  .transform((type): FormattedText['format'] => (type === 'html' ? 'html' : 'text'))

export const formattedText = (
  text: string | undefined,
  format: FormattedText['format'],
  sanitize: HtmlSanitizer,
): FormattedText => ({ format, text: format === 'html' ? sanitize(text ?? '') : (text ?? '') })
