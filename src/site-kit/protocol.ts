import { z } from 'zod'
import { callLimits } from './internal/runtime/call-limits'
import { actionField } from './internal/runtime/form-fields'
import type { NetworkRules } from './internal/runtime/network-guard'
import { locationOf } from './internal/runtime/page-exits'

/** The visit as the renderer sees it: without anything that distinguishes visitors, except decisions. */
export interface RenderVisit {
  /** The path of the request. */
  path: string
  decisions: Readonly<Record<string, boolean | string>>
  payloads: Readonly<Record<string, unknown>>
  /** Decisions that browsers do not get. */
  withheld: readonly string[]
  /** Whether the page is shown although it is a draft. */
  isPreview?: boolean
}

/** A part of the site that is to be rendered by a module of the team's folder. */
export interface RenderInput {
  /** The module, from the root of the site folder: `pages/pricing.tsx`. */
  file: string
  /** Whether it is a page, which may answer with 404 or a redirect. */
  isPage: boolean
  /** Begins every id; two renderings on one page need different ones. */
  prefix: string
  props: Readonly<Record<string, unknown>>
  /** Names of props that Tilth renders itself: the module receives a hole for each. */
  parts: readonly string[]
  visit: RenderVisit
  /** The state that a form action has returned, which its form shows. */
  formState?: FormState | undefined
  /** A list of pages needs the metadata alone, or the values of `generateStaticParams`. By default all is rendered. */
  only?: 'metadata' | 'params'
}

/** A request to a route of the site folder, or a form that one of its pages has sent. */
export interface CallInput {
  kind: 'route' | 'form'
  /** The module: `pages/hooks/orders/route.ts`, or the page of the form. */
  file: string
  params: KitPageParams
  request: CalledRequest
  visit: RenderVisit
}

export interface CalledRequest {
  method: string
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  body: Uint8Array
}

/** The settings and connections that the operator gives to modules of the site folder. */
export interface KitSurroundings {
  /** Settings by their names after TILTH_SITE_. */
  settings: Readonly<Record<string, string>>
  network: NetworkRules
  /** Signs the names of form actions, so that only those can be called that a page has shown. */
  formKey: string
}

/** Messages of the pages process to the renderer. The surroundings come first. */
export type RendererRequest =
  | { kind: 'surroundings'; surroundings: KitSurroundings }
  | { kind: 'render'; id: number; input: RenderInput }
  | { kind: 'call'; id: number; input: CallInput }
  | { kind: 'reply'; id: number; question: number; value: unknown }
  | { kind: 'ping' }

/** The first message to a process that has React only: the address of its program. */
export interface LoadRequest {
  program: string
}

const hole = z.object({
  id: z.string().regex(/^[\w-]{1,80}$/),
  /** A part, or a block of posts. */
  name: z.string().max(80),
  attributes: z.record(z.string().max(80), z.string().max(5000)),
  html: z.string(),
})

/** A place in the rendered HTML that Tilth fills in. */
export type KitHole = z.infer<typeof hole>

/** A text that is cut where it is longer. */
const textUpTo = (length: number) => z.string().transform((text) => text.slice(0, length))

/** The metadata of a page, for its head. */
const metadata = z.object({
  title: textUpTo(300).optional(),
  description: textUpTo(1000).optional(),
  picture: z.string().max(1000).optional(),
  isHidden: z.boolean().optional(),
  draft: z.boolean().optional().catch(undefined),
  updatedAt: z.coerce.date().optional().catch(undefined),
  /** The addresses of the page in each of its languages, by code. */
  languages: z.record(z.string().max(35), z.string().startsWith('/').max(1000)).optional().catch(undefined),
})
export type KitMetadata = z.infer<typeof metadata>

/** The answer of a page in place of its own contents. */
const pageExit = z.union([
  z.object({ status: z.literal(404) }),
  z.object({
    status: z.union([z.literal(307), z.literal(308)]),
    location: z.string().refine((text) => locationOf(text) === text),
  }),
])

const pageParams = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
export type KitPageParams = z.infer<typeof pageParams>

const rendered = z.object({
  html: z.string(),
  exit: pageExit.optional(),
  holes: z.array(hole).max(1000),
  uses: z.array(z.string()).max(1000),
  /** The tags of the data that it shows. */
  tags: z.array(z.string()).max(100),
  /** The seconds for which it may be kept; 0 for one request only. */
  revalidate: z.number().int().min(0).optional(),
  metadata,
  params: z.array(pageParams).max(50_000).optional(),
  /** The files of the entries of collections that it shows. */
  entries: z.array(z.string()).max(50_000).optional(),
})
export type RenderedKit = z.infer<typeof rendered>

/** Stands in the HTML of a page with a form whose action runs on the server. */
export const formActionMark = `name="${actionField}`

/** The state of a form after its action, by the action's id and the form's place in the page. */
const formState = z.object({ action: z.string().max(100), form: z.string().max(200), value: z.json() })
export type FormState = z.infer<typeof formState>

const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/)
const headerValue = z.string().regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/)

const callAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('response'),
    status: z.number().int().min(200).max(599),
    headers: z
      .array(z.tuple([headerName, headerValue]))
      .refine((headers) => headers.join('').length <= callLimits.headerBytes),
    body: z.instanceof(Uint8Array).refine(({ byteLength }) => byteLength <= callLimits.bodyBytes),
  }),
  z.object({ kind: z.literal('exit'), exit: pageExit }),
  z.object({ kind: z.literal('state'), state: formState }),
  /** The action returned nothing that its page shows. */
  z.object({ kind: z.literal('done') }),
  /** The body is no form, or names no action that the page has. */
  z.object({ kind: z.literal('no-form') }),
])
export type CallAnswer = z.infer<typeof callAnswer>

const called = z.object({
  answer: callAnswer,
  /** The tags and addresses that are to be rendered again. */
  revalidated: z.object({ tags: z.array(z.string()).max(100), paths: z.array(z.string()).max(100) }),
})
export type CalledKit = z.infer<typeof called>

const failure = z.object({
  message: z.string(),
  file: z.string().optional(),
  line: z.number().optional(),
  /** The components around it, the innermost first. Only builds of `tilth dev` say it. */
  components: z.array(z.string()).optional(),
})
/** An exception in a team's module, with its place where that is known. */
export type KitFailure = z.infer<typeof failure>

/** Messages of the renderer. Modules of the team run in its process, so they are not trusted. */
const rendererMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('pong') }),
  z.object({ kind: z.literal('rendered'), id: z.number(), rendered }),
  z.object({ kind: z.literal('called'), id: z.number(), called }),
  z.object({ kind: z.literal('failed'), id: z.number(), failure }),
  z.object({
    kind: z.literal('ask'),
    id: z.number(),
    question: z.number(),
    name: z.string().max(80),
    input: z.unknown(),
  }),
])
export type RendererMessage = z.infer<typeof rendererMessage>

const numbered = z.object({ id: z.number() })

/** Returns a failure in place of an unreadable answer, so that its page does not wait. */
export function parseRendererMessage(message: unknown): RendererMessage | undefined {
  const read = rendererMessage.safeParse(message)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = issue?.path.join('.').replace(/^rendered\./, '')
  const id = numbered.safeParse(message).data?.id
  return id === undefined
    ? undefined
    : {
        kind: 'failed',
        id,
        failure: { message: `It cannot be shown, because of ${field}: ${issue?.message}` },
      }
}
