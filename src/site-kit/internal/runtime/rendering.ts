import { AsyncLocalStorage } from 'node:async_hooks'
import type { ReactNode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import type { FormState, KitHole, RenderVisit } from '../../protocol'
import { PageExitError } from './page-exits'

const maxTags = 40
const maxTagLength = 128
const longestSeconds = 365 * 86_400

/** One call of the renderer: what it may know of the visit, and what it finds out. */
export class Rendering {
  readonly uses = new Set<string>()
  /** The files of the entries of collections that were read. */
  readonly entries = new Set<string>()
  readonly holes: KitHole[] = []
  readonly tags = new Set<string>()
  /** The tags and paths that a route or an action has rendered again. */
  readonly revalidated = { tags: new Set<string>(), paths: new Set<string>() }
  /** The state of the form that was sent, for the page that shows it. */
  formState: FormState | undefined
  private keepSeconds: number | undefined
  private count = 0

  constructor(
    readonly visit: RenderVisit,
    private readonly prefix: string,
    /** Asks the pages process, for example for posts. */
    readonly ask: (question: string, input: unknown) => Promise<unknown>,
  ) {}

  /** Names data that the page shows, by which it can be rendered again. */
  addTags(tags: readonly string[]): void {
    for (const tag of tags) this.tags.add(checkedTag(tag))
    if (this.tags.size > maxTags) throw new Error(`A page has at most ${maxTags} tags.`)
  }

  /** Keeps the page for at most so many seconds; false keeps it until it is revalidated. */
  revalidateAfter(seconds: unknown): void {
    if (seconds === undefined) return
    if (seconds !== false && (typeof seconds !== 'number' || !(seconds >= 0)))
      throw new Error(`revalidate is ${JSON.stringify(seconds)}. Use a number of seconds, or false.`)
    const kept = seconds === false ? longestSeconds : Math.min(Math.ceil(seconds), longestSeconds)
    this.keepSeconds = Math.min(this.keepSeconds ?? kept, kept)
  }

  /** The seconds for which the page may be kept; undefined if nothing said so. */
  get revalidate(): number | undefined {
    return this.keepSeconds
  }

  /** Unique on the page, and the same in every rendering of the same page. */
  nextId(): string {
    return `${this.prefix}${++this.count}`
  }
}

/** Returns the tag, if it is one. */
export function checkedTag(tag: unknown): string {
  if (typeof tag !== 'string' || tag === '' || tag.length > maxTagLength || tag.startsWith('/'))
    throw new Error(
      `${JSON.stringify(tag)} is not a tag. Use a text of at most ${maxTagLength} characters that does not begin with "/".`,
    )
  return tag
}

interface RenderContext {
  rendering: Rendering
  /** Whether a route or a form action is called, rather than a page rendered. */
  isCall?: boolean
  /** The decisions that an island used, inside its rendering only. */
  islandFlags?: Record<string, boolean | string>
}

const contexts = new AsyncLocalStorage<RenderContext>()

export const renderWithin = <Result>(context: RenderContext, work: () => Result): Result =>
  contexts.run(context, work)

export const currentContextIfAny = (): RenderContext | undefined => contexts.getStore()

export function currentContext(): RenderContext {
  const context = contexts.getStore()
  if (!context) throw new Error('This works only while a page is rendered, not when its file is loaded.')
  return context
}

/** Decides as `PageVisit` does: what is rendered again in browsers sees no decision that is withheld from them. */
export function decisionFor(key: string): boolean | string {
  const { rendering, islandFlags } = currentContext()
  const { visit } = rendering
  if (islandFlags && visit.withheld.includes(key)) return (islandFlags[key] = false)
  rendering.uses.add(key)
  const value = Object.hasOwn(visit.decisions, key) ? (visit.decisions[key] ?? false) : false
  if (islandFlags) islandFlags[key] = value
  return value
}

const componentNames = new WeakMap<object, string[]>()

/** The components around what was thrown, the innermost first. */
export const componentsAround = (problem: Error): string[] | undefined => componentNames.get(problem)

/** An island is rendered apart: what it throws passes through the component that holds it, with its own stack. */
function noteComponents(problem: unknown, stack = ''): void {
  if (!(problem instanceof Error)) return
  const inner = componentNames.get(problem) ?? []
  const outer = Array.from(stack.matchAll(/^ *at ([A-Z][\w.$]*)/gm), ([, name = '']) => name)
  componentNames.set(problem, [...inner, ...outer.slice(inner.at(-1) === outer[0] ? 1 : 0)])
}

/** Renders to the end; elements that suspend are waited for. */
export async function renderToText(node: ReactNode, identifierPrefix = ''): Promise<string> {
  const failures: unknown[] = []
  const { prelude } = await prerenderToNodeStream(node, {
    identifierPrefix,
    onError(problem, { componentStack }) {
      failures.push(problem)
      if (process.env['NODE_ENV'] === 'development') noteComponents(problem, componentStack)
    },
  })
  if (failures.length > 0) throw failures.find((failure) => failure instanceof PageExitError) ?? failures[0]
  const parts: string[] = []
  for await (const part of prelude) parts.push(String(part))
  return parts.join('')
}
