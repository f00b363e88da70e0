import { type ComponentProps, type ComponentType, createElement, Fragment, type ReactNode } from 'react'
import type {
  CalledKit,
  CallInput,
  KitFailure,
  KitMetadata,
  KitPageParams,
  KitSurroundings,
  RendererMessage,
  RendererRequest,
  RenderInput,
} from '../../protocol'
import {
  Block,
  Experiment,
  giveSettings,
  LatestPosts,
  MostRead,
  Readers,
  SignUp,
  Survey,
  Variant,
} from './team-server'
import { answerCall } from './calls'
import { noteActions, setFormKey } from './form-actions'
import { guardNetwork } from './network-guard'
import { fetchNoting } from './page-fetch'
import { pictureOf } from './pictures'
import { PageExitError } from './page-exits'
import { type CollectionModules, setCollections } from './collections'
import { componentsAround, Rendering, renderToText, renderWithin } from './rendering'

const isDev = process.env['NODE_ENV'] === 'development'

interface TeamModule {
  default?: ComponentType<Record<string, unknown>>
  /** The seconds after which it is rendered again, or false. */
  revalidate?: unknown
  metadata?: KitMetadata | ((props: Readonly<Record<string, unknown>>) => KitMetadata | Promise<KitMetadata>)
  generateStaticParams?: () => unknown
  /** Actions of forms, and the methods of routes. */
  [name: string]: unknown
}

interface Kit {
  /** The site folder, which messages leave out. */
  folder: string
  modules: Readonly<Record<string, () => Promise<TeamModule>>>
  /** Modules whose components MDX may use by name, with the name of each file. */
  components: readonly (readonly [name: string, load: () => Promise<Readonly<Record<string, unknown>>>])[]
  collections: Readonly<Record<string, CollectionModules>>
  /** Modules that begin with 'use server', by file. */
  actions: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>>
}

/** Renders modules of the site folder for the pages process, which is the parent. */
export function startRenderer(kit: Kit): void {
  setCollections({
    collections: kit.collections,
    components: { div: Division, h1: 'h2' },
  })
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  globalThis.fetch = fetchNoting(globalThis.fetch)
  process.on('message', (request: RendererRequest) => void answer(request, kit))
  send({ kind: 'ready' })
}

const send = (message: RendererMessage): void => void process.send?.(message)

async function answer(request: RendererRequest, kit: Kit): Promise<void> {
  if (request.kind === 'ping') return send({ kind: 'pong' })
  if (request.kind === 'reply') return receiveReply(request)
  if (request.kind === 'surroundings') return settleIn(request.surroundings)
  const { id } = request
  try {
    if (request.kind === 'call') send({ kind: 'called', id, called: await call(request.input, id, kit) })
    else send({ kind: 'rendered', id, rendered: await render(request.input, id, kit) })
  } catch (problem) {
    send({ kind: 'failed', id, failure: failureOf(problem, kit) })
  }
}

function settleIn({ settings, network, formKey }: KitSurroundings): void {
  setFormKey(formKey)
  giveSettings(settings)
  guardNetwork(network)
}

/** Loads a module, whose forms may call its own actions and those of modules for them. */
async function loadModule(file: string, kit: Kit): Promise<TeamModule> {
  const load = Object.hasOwn(kit.modules, file) ? kit.modules[file] : undefined
  if (!load) throw new Error(`${file} is not part of this build.`)
  for (const [name, loadActions] of Object.entries(kit.actions)) {
    // a page that imports a module which cannot be loaded fails by itself
    const actions = await loadActions().catch(() => ({}))
    noteActions(name, actions, { isPage: false })
  }
  const loaded = await load()
  if (file.startsWith('pages/')) noteActions(file, loaded, { isPage: true })
  return loaded
}

async function call(input: CallInput, id: number, kit: Kit): Promise<CalledKit> {
  const rendering = new Rendering(input.visit, '', (name, asked) => ask(id, name, asked))
  return await renderWithin({ rendering, isCall: true }, async () =>
    answerCall(input, await loadModule(input.file, kit), rendering),
  )
}

async function render(input: RenderInput, id: number, kit: Kit) {
  const rendering = new Rendering(input.visit, input.prefix, (name, asked) => ask(id, name, asked))
  rendering.formState = input.formState
  return await renderWithin({ rendering }, async () => {
    const {
      default: Component,
      metadata = {},
      revalidate,
      generateStaticParams,
    } = await loadModule(input.file, kit)
    if (!Component) throw new Error(`${input.file} has no default export. Export the component as default.`)
    if (input.only === 'params')
      return { ...emptyPage, params: checkedParams(input.file, await generateStaticParams?.()) }
    const props = await propsFor(input, kit, rendering)
    try {
      const about = typeof metadata === 'function' ? await metadata(input.props) : metadata
      if (about.draft === true && !isDev && !input.visit.isPreview) throw new PageExitError({ status: 404 })
      const html = input.only ? '' : await renderToText(<Component {...props} />)
      rendering.revalidateAfter(revalidate)
      return { html, holes: rendering.holes, ...foundBy(rendering), metadata: about }
    } catch (problem) {
      if (!input.isPage || !(problem instanceof PageExitError)) throw problem
      return { html: '', exit: problem.exit, holes: [], ...foundBy(rendering), metadata: {} }
    }
  })
}

const foundBy = ({ uses, tags, revalidate, entries }: Rendering) => ({
  uses: [...uses],
  tags: [...tags],
  revalidate,
  ...(entries.size > 0 && { entries: [...entries] }),
})

const emptyPage = { html: '', holes: [], uses: [], tags: [], metadata: {} }

function checkedParams(file: string, params: unknown = []): KitPageParams[] {
  if (Array.isArray(params) && params.every(isParams)) return params
  throw new Error(`generateStaticParams of ${file} has to return a list such as [{ slug: 'start' }].`)
}

const isParams = (params: unknown): params is KitPageParams =>
  typeof params === 'object' &&
  params !== null &&
  Object.values(params).every(
    (value) =>
      typeof value === 'string' || (Array.isArray(value) && value.every((part) => typeof part === 'string')),
  )

async function propsFor(
  input: RenderInput,
  kit: Kit,
  rendering: Rendering,
): Promise<Record<string, unknown>> {
  const parts = input.parts.map((name) => [name, holeFor(name, input.prefix, rendering)])
  const isMdx = input.file.endsWith('.mdx')
  return {
    ...input.props,
    ...Object.fromEntries(parts),
    ...(isMdx && { components: await componentsFor(kit, input.props) }),
  }
}

/** A default export is known by the name of its file. */
async function componentsFor(
  { components }: Kit,
  { hasTitle, pictures }: RenderInput['props'],
): Promise<Record<string, unknown>> {
  const named = await Promise.all(
    components.map(async ([name, load]) => {
      const { default: usual, ...others } = await load()
      return { ...others, ...(usual !== undefined && { [name]: usual }) }
    }),
  )
  // below a title of the page, the text's own title stands one level lower
  const own = { ...ownComponents, img: pictureOf(pictures) }
  return Object.assign({}, own, hasTitle !== true && { h1: 'h2' }, ...named)
}

/** Components of `@tilth/site` that texts may use without importing them. */
const ownComponents = { Variant, Experiment, Survey, SignUp, LatestPosts, MostRead, Readers, div: Division }

type DivisionProps = ComponentProps<'div'> & { 'data-block'?: string; 'data-attributes'?: string }

/** A block of Markdown, such as `:::variant`, that depends on the visitor. */
function Division({
  'data-block': name,
  'data-attributes': written = '{}',
  children,
  ...others
}: DivisionProps) {
  if (name === undefined) return <div {...others}>{children}</div>
  // only the parser of blocks writes it
  const attributes = JSON.parse(written) as Record<string, string>
  if (name !== 'variant') return <Block {...{ name, attributes }}>{children}</Block>
  return (
    <Variant of={attributes['of'] ?? ''} is={attributes['is'] ?? true}>
      {children}
    </Variant>
  )
}

function holeFor(name: string, prefix: string, rendering: Rendering): ReactNode {
  const id = `${prefix}-${name}`
  rendering.holes.push({ id, name, attributes: {}, html: '' })
  return createElement(Fragment, null, createElement('tilth-hole', { 'data-id': id }))
}

let questions = 0
const waiting = new Map<number, (value: unknown) => void>()

function ask(id: number, name: string, input: unknown): Promise<unknown> {
  const question = ++questions
  const { promise, resolve } = Promise.withResolvers<unknown>()
  waiting.set(question, resolve)
  send({ kind: 'ask', id, question, name, input })
  return promise
}

function receiveReply({ question, value }: Extract<RendererRequest, { kind: 'reply' }>): void {
  waiting.get(question)?.(value)
  waiting.delete(question)
}

/** Finds the first line of the stack that is in a file of the team; source maps have put its own names there. */
function failureOf(problem: unknown, { folder }: Kit): KitFailure {
  if (!(problem instanceof Error)) return { message: String(problem) }
  const [place] = (problem.stack ?? '').split('\n').flatMap((line) => teamPlace(line, folder) ?? [])
  return { message: problem.message, ...place, components: componentsAround(problem) }
}

/** Modules of the site folder stand in the source map as beside the program, client modules with their whole path. */
function teamPlace(line: string, folder: string): Pick<KitFailure, 'file' | 'line'> | undefined {
  const found = /((?:file:|client:)?\/[^\s()]+\.(?:tsx?|jsx?|mdx)):(\d+):\d+\)?$/.exec(line)
  if (!found) return undefined
  const path = (found[1] ?? '').replace(/^(?:file:\/\/|client:)/, '')
  const root = [import.meta.dirname, folder].find((one) => path.startsWith(`${one}/`))
  return root === undefined ? undefined : { file: path.slice(root.length + 1), line: Number(found[2]) }
}
