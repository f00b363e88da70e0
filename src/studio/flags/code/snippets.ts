import type { Flag } from '#flags/flag'
import { flagsHead } from '#studio/connect/flags-head'
import type { Snippet } from '#studio/connect/snippet'

/** The values that every snippet is built from. */
export interface FlagSnippetOptions {
  /** The address of this installation. */
  address: string
  /** The environment's write key. */
  writeKey: string
  flag: Pick<Flag, 'key' | 'kind' | 'variants' | 'payloads' | 'isSecret'>
}

/** A way to ask for a flag, and all that has to be written. */
interface CodeGuide {
  label: string
  about: string
  snippets: (options: FlagSnippetOptions) => readonly Snippet[]
  note?: string
}

/** Names the version of posthog-js's defaults, so that an update changes nothing unasked. */
const posthogDefaults = '2025-11-30'

/** Quoted for a program: keys hold neither quotes nor backslashes. */
const quoted = (text: string): string => `'${text}'`

/** The variant used in examples: the second one, because the first is usually the control. */
const variantOf = ({ variants }: FlagSnippetOptions['flag']): string =>
  variants[1]?.key ?? variants[0]?.key ?? 'test'

/** The code that acts on a decision, for each kind of flag. */
function branchOn(
  { key, kind, ...flag }: FlagSnippetOptions['flag'],
  asks: { isOn: string; variant: string; payload: string },
) {
  if (kind === 'config') return `const value = ${asks.payload}`
  if (kind === 'variants')
    return `if (${asks.variant} === ${quoted(variantOf({ key, kind, ...flag }))}) {\n  // what this variant shows\n}`
  return `if (${asks.isOn}) {\n  // what it turns on\n}`
}

const indented = (code: string): string => code.replaceAll('\n', '\n  ')

const posthogJs: CodeGuide = {
  label: 'posthog-js',
  about: 'In browsers. Cached values are available at once; fresh ones arrive a moment later.',
  snippets: ({ address, writeKey, flag }) => [
    {
      title: 'Once, at start-up',
      language: 'JavaScript',
      code: `import posthog from 'posthog-js'

posthog.init('${writeKey}', {
  api_host: '${address}',
  defaults: '${posthogDefaults}',
})`,
    },
    {
      title: 'Where you use the flag',
      language: 'JavaScript',
      code: `posthog.onFeatureFlags(() => {
  ${indented(
    branchOn(flag, {
      isOn: `posthog.isFeatureEnabled('${flag.key}')`,
      variant: `posthog.getFeatureFlag('${flag.key}')`,
      payload: `posthog.getFeatureFlagResult('${flag.key}')?.payload`,
    }),
  )}
})`,
    },
  ],
}

const react: CodeGuide = {
  label: 'React',
  about: 'The hooks of posthog-js. Components render again when the value changes.',
  snippets: ({ address, writeKey, flag }) => [
    {
      title: 'Around your app',
      language: 'JSX',
      code: `import { PostHogProvider } from 'posthog-js/react'

const options = { api_host: '${address}', defaults: '${posthogDefaults}' }

const App = () => (
  <PostHogProvider apiKey="${writeKey}" options={options}>
    <Site />
  </PostHogProvider>
)`,
    },
    {
      title: 'In a component',
      language: 'JSX',
      code: reactComponent(flag),
    },
  ],
}

function reactComponent(flag: FlagSnippetOptions['flag']): string {
  if (flag.kind === 'config')
    return `import { useFeatureFlagPayload } from 'posthog-js/react'

function Part() {
  const value = useFeatureFlagPayload('${flag.key}')
  return <pre>{JSON.stringify(value)}</pre>
}`
  const [hook, test] =
    flag.kind === 'variants'
      ? ['useFeatureFlagVariantKey', `variant === '${variantOf(flag)}'`]
      : ['useFeatureFlagEnabled', 'isOn']
  const name = flag.kind === 'variants' ? 'variant' : 'isOn'
  return `import { ${hook} } from 'posthog-js/react'

function Part() {
  const ${name} = ${hook}('${flag.key}')
  return ${test} ? <New /> : <Old />
}`
}

const posthogNode: CodeGuide = {
  label: 'posthog-node',
  about:
    'On a server. With a secret key, flags are evaluated locally; without one, each evaluation is a request.',
  snippets: ({ address, writeKey, flag }) => [
    {
      title: 'On a server',
      language: 'JavaScript',
      code: `import { PostHog } from 'posthog-node'

const posthog = new PostHog('${writeKey}', {
  host: '${address}',
  personalApiKey: process.env.TILTH_SECRET_KEY,
})

${
  flag.kind === 'config'
    ? `const value = await posthog.getRemoteConfigPayload('${flag.key}')`
    : branchOn(flag, {
        isOn: `await posthog.isFeatureEnabled('${flag.key}', 'ana')`,
        variant: `await posthog.getFeatureFlag('${flag.key}', 'ana')`,
        payload: '',
      })
}`,
    },
  ],
  note: 'Create a secret key in Settings → Keys. Keep it on the server; browsers only need the write key.',
}

/** OpenFeature's client method for each kind, with the default value. */
function openFeatureAsk({ key, kind }: FlagSnippetOptions['flag'], context = ''): string {
  const [method, otherwise] =
    kind === 'config'
      ? ['getObjectValue', '{}']
      : kind === 'variants'
        ? ['getStringValue', `'control'`]
        : ['getBooleanValue', 'false']
  return `client.${method}('${key}', ${otherwise}${context})`
}

const openFeatureNote =
  'OFREP reports nothing back. For exposures in experiments, put the provider into withTilth of @tilth/react/openfeature.'

const openFeatureWeb: CodeGuide = {
  label: 'OpenFeature, web',
  about: 'The OpenFeature client for browsers, over OFREP.',
  snippets: ({ address, writeKey, flag }) => [
    {
      title: 'In a browser',
      language: 'JavaScript',
      code: `import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { OpenFeature } from '@openfeature/web-sdk'

await OpenFeature.setContext({ targetingKey: 'ana', plan: 'pro' })
await OpenFeature.setProviderAndWait(
  new OFREPWebProvider({
    baseUrl: '${address}',
    headers: [['Authorization', 'Bearer ${writeKey}']],
  }),
)

const client = OpenFeature.getClient()
const answer = ${openFeatureAsk(flag)}`,
    },
  ],
  note: openFeatureNote,
}

const openFeatureServer: CodeGuide = {
  label: 'OpenFeature, server',
  about: 'The OpenFeature client for servers, over OFREP.',
  snippets: ({ address, writeKey, flag }) => [
    {
      title: 'On a server',
      language: 'JavaScript',
      code: `import { OFREPProvider } from '@openfeature/ofrep-provider'
import { OpenFeature } from '@openfeature/server-sdk'

await OpenFeature.setProviderAndWait(
  new OFREPProvider({
    baseUrl: '${address}',
    headers: [['Authorization', 'Bearer ${writeKey}']],
  }),
)

const client = OpenFeature.getClient()
const visitor = { targetingKey: 'ana', plan: 'pro' }
const answer = await ${openFeatureAsk(flag, ', visitor')}`,
    },
  ],
  note: openFeatureNote,
}

/** The code that acts on the response to an HTTP request. */
const answeredBranch = (flag: FlagSnippetOptions['flag']): string =>
  branchOn(flag, {
    isOn: `flags['${flag.key}']`,
    variant: `flags['${flag.key}']`,
    payload: `payloads['${flag.key}']`,
  })

const plain: CodeGuide = {
  label: 'HTTP',
  about: 'One HTTP request, without an SDK.',
  snippets: ({ address, writeKey, flag }) => [
    {
      title: 'In a browser',
      language: 'JavaScript',
      code: `const asked = new URLSearchParams({
  key: '${writeKey}',
  distinct_id: 'ana',
})
const answer = await fetch('${address}/_tilth/flags?' + asked)
const { flags, payloads } = await answer.json()

${answeredBranch(flag)}`,
    },
    {
      title: 'From a shell',
      language: 'Shell',
      code: `curl '${address}/_tilth/flags?key=${writeKey}&distinct_id=ana'`,
    },
  ],
}

/** The elements of a page that depend on the flag, in HTML. */
function elementsOf(flag: FlagSnippetOptions['flag']): string {
  const name = `data-tilth-flag="${flag.key}"`
  if (flag.kind === 'switch') return `<div ${name} hidden>What it turns on</div>`
  const [first] = flag.variants
  return `<h1 ${name} data-tilth-variant="${first?.key ?? 'control'}">As it is</h1>
<h1 ${name} data-tilth-variant="${variantOf(flag)}" hidden>What this variant shows</h1>`
}

const ownTag: CodeGuide = {
  label: 'Tilth tag',
  about:
    'One line in any page. The tag loads what decides flags where a page uses one, and counts by itself who saw what.',
  snippets: ({ address, writeKey, flag }) => [
    {
      title: 'In the head of every page',
      language: 'HTML',
      code: `<script defer crossorigin src="${address}/_tilth/script.js" data-project="${writeKey}"></script>`,
    },
    ...(flag.kind === 'config'
      ? []
      : [{ title: 'Where the page shows the flag', language: 'HTML', code: elementsOf(flag) }]),
    {
      title: `${flag.kind === 'config' ? 'Where' : 'Or where'} you use the flag, in a script of type="module"`,
      language: 'JavaScript',
      code: branchOn(flag, {
        isOn: `await window.tilth?.flag('${flag.key}')`,
        variant: `(await window.tilth?.flag('${flag.key}'))`,
        payload: `await window.tilth?.payload('${flag.key}')`,
      }),
    },
    ...(flag.kind === 'config'
      ? []
      : [
          {
            title: 'Without flicker: in the head, before the tag',
            language: 'HTML',
            code: flagsHead,
          },
        ]),
  ],
  note: 'Without an id, a visitor keeps the value until midnight UTC, as visits are counted. Call tilth.identify for people you know.',
}

/** Secret values need a secret key. */
const secret: CodeGuide = {
  label: 'posthog-node',
  about: 'A secret configuration is sent only to servers that use a secret key.',
  snippets: posthogNode.snippets,
  note: posthogNode.note ?? '',
}

export const codeGuides = {
  script: ownTag,
  'posthog-js': posthogJs,
  react,
  'posthog-node': posthogNode,
  'openfeature-web': openFeatureWeb,
  'openfeature-server': openFeatureServer,
  http: plain,
} satisfies Record<string, CodeGuide>
type CodeGuideName = keyof typeof codeGuides

const codeGuideNames = Object.keys(codeGuides).filter((name): name is CodeGuideName =>
  Object.hasOwn(codeGuides, name),
)

/** By which a flag can be asked for. */
export const codeGuidesFor = ({ isSecret }: Pick<Flag, 'isSecret'>): readonly CodeGuideName[] =>
  isSecret ? ['posthog-node'] : codeGuideNames

/** The guides of the libraries (`$lib`) that send events. */
const guidesByLibrary: ReadonlyMap<string, CodeGuideName> = new Map([
  ['tilth', 'script'],
  ['web', 'posthog-js'],
  ['posthog-node', 'posthog-node'],
  ['tilth-openfeature', 'openfeature-web'],
])

/** The guide that an address names, else that of the libraries which send the project's events, else the first. */
export function codeGuideIn(
  value: unknown,
  flag: Pick<Flag, 'isSecret'>,
  libraries: readonly string[] = [],
): CodeGuideName {
  const names = codeGuidesFor(flag)
  const ofLibraries = libraries.flatMap((library) => guidesByLibrary.get(library) ?? [])
  return (
    [value, ...ofLibraries, names[0]].flatMap((one) => names.find((name) => name === one) ?? [])[0] ??
    'posthog-node'
  )
}

export const codeGuideNamed = (name: CodeGuideName, { isSecret }: Pick<Flag, 'isSecret'>): CodeGuide =>
  isSecret ? secret : codeGuides[name]
