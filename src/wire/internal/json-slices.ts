import type { Json } from '#events/event'
import { type UnreadableBody, unreadableBody } from '../decode-body'

/** The length of members that are parsed at once: half a millisecond of work. */
const sliceLength = 64 * 1024

/** The limits of one request. PostHog limits bytes only: https://github.com/PostHog/posthog/tree/master/rust/capture */
export interface JsonBounds {
  /** The depth; no application nests its properties deeper. */
  depth: number
  /**
   * Lists and objects. 20 MB of ordinary events have fewer: each `{}` of two characters takes fifty-six bytes in
   * memory.
   */
  parts: number
  /** The keys of one object. */
  keys: number
  /** The members of a list that is the whole text, or a value of the top-level object. */
  events: number
}

export const defaultBounds: JsonBounds = { depth: 200, parts: 400_000, keys: 150_000, events: 20_000 }

/** The text is not JSON, or exceeds the limits. */
export class JsonRefusedError extends Error {
  override readonly name = 'JsonRefusedError'

  constructor(
    readonly why: 'unreadable' | 'too-large',
    message: string,
  ) {
    super(message)
  }
}

/** A list or an object in progress, and its parsed members. */
interface OpenContainer {
  isList: boolean
  start: number
  /** The offset of the text that is not parsed yet. */
  unparsed: number
  /** Undefined while the container may be short enough to be parsed with its parent. */
  entries: [string, Json][] | undefined
  members: number
  /** Whether the last member was parsed separately: a comma or the end follows. */
  expectsComma: boolean
  /** The offset of the latest string: the key when the value of an object's member begins. */
  stringStart: number
  stringEnd: number
}

const [quote, comma, openList, closeList, openObject, closeObject] = [34, 44, 91, 93, 123, 125]
const stepsBetweenYields = 2048

/**
 * Parses like `JSON.parse`, and yields after each slice of the work, so that a body of megabytes never blocks the event
 * loop for longer than a slice. `JSON.parse` parses runs of members and checks the grammar.
 */
export function* parseInSlices(text: string, bounds: JsonBounds = defaultBounds): Generator<void, Json> {
  const parser = new SliceParser(text, bounds)
  let steps = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = text.indexOf('"', at + 1)
      at = parser.readString(at, isEscaped(text, end) ? yield* endOfEscaped(text, end) : end)
    } else if (parser.readCharacter(code, at) || ++steps % stepsBetweenYields === 0) yield
  }
  return parser.end()
}

/** Returns the end of a string with escaped quotes, or -1. It may contain millions. */
function* endOfEscaped(text: string, escapedQuote: number): Generator<void, number> {
  let end = escapedQuote
  for (let quotes = 1; isEscaped(text, end); quotes++) {
    end = text.indexOf('"', end + 1)
    if (quotes % stepsBetweenYields === 0) yield
  }
  return end
}

class SliceParser {
  private readonly root = openContainerAt(-1, true)
  private readonly open: OpenContainer[] = [this.root]
  private current = this.root
  private parts = 0

  constructor(
    private readonly text: string,
    private readonly bounds: JsonBounds,
  ) {}

  readString(start: number, end: number): number {
    if (end === -1) throw notJsonError()
    this.current.stringStart = start
    this.current.stringEnd = end + 1
    return end
  }

  /** Reads a character outside strings; returns true at the end of a slice. */
  readCharacter(code: number, at: number): boolean {
    if (code === comma) return this.readMember(at)
    if (code === openObject || code === openList) return this.readOpening(at, code === openList)
    if (code === closeObject || code === closeList) return this.readClosing(at, code === closeList)
    return false
  }

  end(): Json {
    if (this.open.length > 1) throw notJsonError()
    if (!this.root.entries) return parsed(this.text)
    parseRemainder(this.text, this.root, this.text.length)
    const [only] = this.root.entries
    if (!only || this.root.entries.length > 1) throw notJsonError()
    return only[1]
  }

  private readMember(at: number): boolean {
    const { current, text } = this
    countMember(current, this.open.length, this.bounds)
    if (current.expectsComma) readComma(text, current, at)
    else if (at - current.unparsed >= sliceLength) {
      parseRun(text, current, at)
      return true
    }
    return false
  }

  private readOpening(at: number, isList: boolean): false {
    const { depth, parts } = this.bounds
    if (this.open.length > depth) throw refusedError(`The body nests deeper than ${depth} levels.`)
    if (++this.parts > parts) throw tooManyError(parts, 'lists and objects')
    this.current = openContainerAt(at, isList)
    this.open.push(this.current)
    return false
  }

  private readClosing(at: number, isList: boolean): boolean {
    const closed = this.current
    if (this.open.length < 2 || closed.isList !== isList) throw notJsonError()
    this.open.pop()
    this.current = this.open.at(-1) ?? this.root
    if (!closed.entries && at - closed.start < sliceLength) return false
    attachToParent(this.text, this.current, closed, at)
    return true
  }
}

const openContainerAt = (start: number, isList: boolean): OpenContainer => ({
  isList,
  start,
  unparsed: start + 1,
  entries: undefined,
  members: 1,
  expectsComma: false,
  stringStart: 0,
  stringEnd: 0,
})

function countMember(frame: OpenContainer, depth: number, { keys, events }: JsonBounds): void {
  frame.members++
  if (!frame.isList && frame.members > keys) throw tooManyError(keys, 'keys in one object')
  // the root counts as one level: a list in an object has depth two
  if (frame.isList && depth <= 3 && frame.members > events)
    throw new JsonRefusedError('too-large', tooManyEventsError(events).detail)
}

/** SDKs on servers halve their batch size after this response */
export const tooManyEventsError = (most: number): UnreadableBody =>
  unreadableBody(`The request holds more than ${most} events. Send fewer events at once.`, 'too-large')

/** Parses the members from the last parsed one up to a comma or the end of the container. */
function parseRun(text: string, frame: OpenContainer, end: number): void {
  const run = text.slice(frame.unparsed, end)
  if (isBlank(run)) throw notJsonError()
  appendMembers(frame, frame.isList ? parsed(`[${run}]`) : parsed(`{${run}}`))
  frame.unparsed = end + 1
}

/** Adds a closed container of many slices to its parent, after the members before it. */
function attachToParent(text: string, parent: OpenContainer, child: OpenContainer, end: number): void {
  if (parent.expectsComma) throw notJsonError()
  parseRemainder(text, child, end)
  const value = valueOf(child)
  const before = text.slice(parent.unparsed, child.start)
  // "null" stands for the child, so that the grammar around it is checked too
  if (parent.isList) {
    appendMembers(parent, parsed(`[${before}null]`))
    parent.entries?.pop()
    parent.entries?.push(['', value])
  } else {
    const key = parsed(text.slice(parent.stringStart, parent.stringEnd))
    if (typeof key !== 'string') throw notJsonError()
    appendMembers(parent, parsed(`{${before}null}`))
    parent.entries?.push([key, value])
  }
  parent.unparsed = end + 1
  parent.expectsComma = true
}

/** Parses the rest of a container at its end. */
function parseRemainder(text: string, frame: OpenContainer, end: number): void {
  if (frame.expectsComma) readComma(text, frame, end)
  else parseRun(text, frame, end)
}

function readComma(text: string, frame: OpenContainer, at: number): void {
  if (!isBlank(text.slice(frame.unparsed, at))) throw notJsonError()
  frame.unparsed = at + 1
  frame.expectsComma = false
}

function appendMembers(frame: OpenContainer, members: Json): void {
  frame.entries ??= []
  if (Array.isArray(members)) for (const value of members) frame.entries.push(['', value])
  else if (typeof members === 'object' && members !== null)
    for (const key of Object.keys(members)) frame.entries.push([key, members[key] ?? null])
}

/** `fromEntries` treats `__proto__` as an ordinary key. */
const valueOf = ({ isList, entries = [] }: OpenContainer): Json =>
  isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)

function parsed(text: string): Json {
  try {
    // the result of JSON.parse is Json by definition
    return JSON.parse(text) as Json
  } catch {
    throw notJsonError()
  }
}

const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text)

function isEscaped(text: string, at: number): boolean {
  if (at < 1) return false
  let before = at
  while (text.charCodeAt(before - 1) === 92) before--
  return (at - before) % 2 === 1
}

const refusedError = (message: string): JsonRefusedError => new JsonRefusedError('unreadable', message)
const notJsonError = (): JsonRefusedError => refusedError('The body is not JSON.')
const tooManyError = (most: number, what: string): JsonRefusedError =>
  refusedError(`The body holds more than ${most} ${what}.`)
