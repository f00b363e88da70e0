import { createElement, type ReactNode } from 'react'
import { locationOf, PageExitError } from './page-exits'
import { checkedTag, currentContext, decisionFor, renderToText } from './rendering'
import { variantsWith } from './variants'

/** The module `@tilth/site` while pages are rendered. */

/** Returns the variant's key, or whether the flag is on. A call counts as an exposure. */
export const useFlag = (key: string): boolean | string => decisionFor(key)

export const { Variant, Experiment } = variantsWith(useFlag)

/** The facts about the visit that pages may depend on. */
export function visit() {
  const { rendering } = currentContext()
  const { path, payloads } = rendering.visit
  return {
    path,
    flag: useFlag,
    payload(key: string): unknown {
      useFlag(key)
      return Object.hasOwn(payloads, key) ? payloads[key] : undefined
    },
  }
}

export function track(name: string): never {
  throw new Error(
    `track('${name}') was called while the page is rendered. Call it in an event handler of a client component.`,
  )
}

/** Answers with 404 and the site's page for missing addresses. */
export function notFound(): never {
  requireServerComponent('notFound()')
  throw new PageExitError({ status: 404 })
}

/** Answers with a redirect. */
export function redirect(to: string, { permanent = false }: { permanent?: boolean } = {}): never {
  requireServerComponent('redirect()')
  const location = locationOf(to)
  if (location === undefined)
    throw new Error(
      `redirect(${JSON.stringify(to)}): write a path such as "/blog", or an address such as "https://example.com".`,
    )
  throw new PageExitError({ status: permanent ? 308 : 307, location })
}

/** Names data that the page shows, such as 'jobs': revalidating a tag renders its pages again. */
export function cacheTag(...tags: string[]): void {
  requireServerComponent('cacheTag()')
  currentContext().rendering.addTags(tags)
}

/** Has every page with the tag rendered again when it is next requested. */
export function revalidateTag(tag: string): void {
  revalidatedOf('revalidateTag()').tags.add(checkedTag(tag))
}

/** Has the page at a path rendered again when it is next requested. */
export function revalidatePath(path: string): void {
  if (!/^\/(?!\/)/.test(path)) throw new Error(`revalidatePath(${JSON.stringify(path)}): begin with one "/".`)
  revalidatedOf('revalidatePath()').paths.add(path)
}

function revalidatedOf(name: string) {
  const { isCall, rendering } = currentContext()
  if (!isCall) throw new Error(`${name} works in route.ts and in form actions only.`)
  return rendering.revalidated
}

let siteSettings: Readonly<Record<string, string>> = {}

export function giveSettings(settings: Readonly<Record<string, string>>): void {
  siteSettings = settings
}

/** The value of the environment variable TILTH_SITE_ with this name. */
export function setting(name: string): string {
  requireServerComponent('setting()')
  const value = Object.hasOwn(siteSettings, name) ? siteSettings[name] : undefined
  if (value === undefined) throw new Error(`TILTH_SITE_${name} is not set.`)
  return value
}

function requireServerComponent(name: string): void {
  if (currentContext().islandFlags)
    throw new Error(`${name} was called in a client component. Call it in the page that shows the component.`)
}

/** The posts of the site, newest first. */
export async function posts(query: { count?: number; tag?: string } = {}): Promise<unknown> {
  return await currentContext().rendering.ask('posts', query)
}

export { collection, entry } from './collections'

type BlockAttributes = Readonly<Record<string, string | number | boolean | undefined>>

/** A block of Tilth's own, which Tilth renders in this place. */
export async function Block({
  name,
  attributes,
  children,
}: {
  name: string
  attributes: BlockAttributes
  children?: ReactNode
}) {
  const { rendering, islandFlags } = currentContext()
  if (islandFlags)
    throw new Error(
      `${componentNames[name] ?? name} was used in a client component. Pass it to that component as children.`,
    )
  const html = children === undefined ? '' : await renderToText(children)
  const id = rendering.nextId()
  rendering.holes.push({ id, name, attributes: textsOf(attributes), html })
  return createElement('tilth-hole', { 'data-id': id })
}

const textsOf = (attributes: BlockAttributes): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined || value === false ? [] : [[name, value === true ? '' : String(value)]],
    ),
  )

const componentNames: Readonly<Record<string, string>> = {
  survey: '<Survey>',
  signup: '<SignUp>',
  latest: '<LatestPosts>',
  'most-read': '<MostRead>',
  readers: '<Readers>',
}

/** A survey of the project, by its name or id. */
export const Survey = ({ of }: { of: string }) => <Block name="survey" attributes={{ survey: of }} />

interface SignUpProps {
  name?: string
  button?: string
  thanks?: string
  children?: ReactNode
}

export const SignUp = ({ children, ...attributes }: SignUpProps) => (
  <Block name="signup" attributes={attributes}>
    {children}
  </Block>
)

export const LatestPosts = (attributes: { count?: number; tag?: string }) => (
  <Block name="latest" attributes={attributes} />
)

export const MostRead = (attributes: { count?: number; days?: number }) => (
  <Block name="most-read" attributes={attributes} />
)

export const Readers = () => <Block name="readers" attributes={{}} />
