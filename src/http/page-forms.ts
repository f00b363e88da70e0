import type { IncomingMessage } from 'node:http'
import { visitorFormLimits } from './limits'

const KB = 1024
const MB = 1024 * KB

/** A form that pages receive: its addresses, and how large it may be. */
interface PageForm {
  path: RegExp
  /** The largest body of someone who is not signed in, and of a member. */
  visitorBytes: number
  memberBytes: number
  /** Whether it is for a server action, which its fields or a header then name; other forms have routes of their own. */
  namesAction: boolean
}

const { ofMembers, password, studio } = visitorFormLimits.bytes

/**
 * All forms that pages receive; the first match counts. A server action can be sent to any page of its own document, and
 * no page of the site has one: its forms are the front's. Pictures and files to import have addresses of their own.
 */
const pageForms: readonly PageForm[] = [
  { path: /^\/studio\/sign-out$/, visitorBytes: ofMembers, memberBytes: 4 * KB, namesAction: false },
  { path: /^\/studio\/[^/]+\/sql\/answer$/, visitorBytes: ofMembers, memberBytes: MB, namesAction: false },
  { path: /^\/share\/[^/]+$/, visitorBytes: password, memberBytes: password, namesAction: true },
  // the largest things that members send are a post and a list of people
  { path: /^\/studio(?:\/|$)/, visitorBytes: studio, memberBytes: 8 * MB, namesAction: true },
]

/** Returns the form that a request may be; undefined where none of ours is meant. */
export function pageFormOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  path: string,
): PageForm | undefined {
  if (!namesActionInHeaders(headers) && !isMultipart(headers)) return undefined
  return pageForms.find((form) => form.path.test(path))
}

type Headers = IncomingMessage['headers']

/** Sent by a script; without one, hidden fields name the action. */
const namesActionInHeaders = (headers: Headers): boolean => 'next-action' in headers

export const isMultipart = (headers: Headers): boolean =>
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')

/** The most fields of a form. A member's editors have hundreds. */
export const mostFields = { visitors: visitorFormLimits.fields, members: 2000 }

/** Whether a body is the form that its headers and address promise. It is searched for its parts, and not parsed. */
export function isPromisedForm(
  bytes: Buffer,
  headers: Headers,
  { namesAction }: Pick<PageForm, 'namesAction'>,
  most: number,
): boolean {
  const mustNameAction = namesAction && !namesActionInHeaders(headers)
  if (!isMultipart(headers)) return !mustNameAction
  const parts = formParts(bytes, headers['content-type'] ?? '', most)
  return parts !== undefined && (!mustNameAction || parts.some((head) => actionField.test(head)))
}

/** The fields that React adds to a form with an action (react-server-dom-webpack, `decodeAction`). */
const actionField = /[;\s]name="?\$ACTION_/i

/** The longest head of a part: a field has a name and maybe a file's name and type. */
const mostHeadBytes = 4 * KB
const headEnd = '\r\n\r\n'

/**
 * Returns the heads of the parts of a multipart body; undefined if it is malformed, cut short or has more than `most`.
 * https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
 */
export function formParts(bytes: Buffer, contentType: string, most: number): string[] | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const delimiter = `\r\n--${quoted ?? plain ?? ''}`
  const heads: string[] = []
  if (delimiter.length === 4 || !startsWithAt(bytes, delimiter.slice(2), 0)) return undefined
  for (let at = delimiter.length - 2; ;) {
    if (startsWithAt(bytes, '--', at)) return heads
    const end = bytes.subarray(at, at + mostHeadBytes).indexOf(headEnd)
    if (end < 0 || heads.length === most || !startsWithAt(bytes, '\r\n', at)) return undefined
    const head = bytes.toString('latin1', at, at + end)
    const next = bytes.indexOf(delimiter, at + end + headEnd.length)
    if (next < 0 || !isFieldHead.test(head)) return undefined
    heads.push(head)
    at = next + delimiter.length
  }
}

const isFieldHead = /\r\ncontent-disposition:[ \t]*form-data;[ \t]*name=/i

const startsWithAt = (bytes: Buffer, text: string, at: number): boolean =>
  bytes.toString('latin1', at, at + text.length) === text
