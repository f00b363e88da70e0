import type { Metadata } from 'next'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { CopyField } from '#ui/copy/CopyField'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { type ConnectQuestion, paths } from '#app/paths'
import { openProject } from '#app/(studio)/open-project'
import { installationAddress } from './address'
import { clientNames, clients, isClient } from './clients'
import { type SnippetOptions, proxyPrefix, type Snippet } from './snippet'
import { isProxy, proxies, type ProxyName, proxyNames, upstreamAt } from './proxies'
import { WaitingPanel } from './WaitingPanel'

export const metadata: Metadata = { title: 'Connect' }

interface ConnectPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ConnectPage({ params, searchParams }: ConnectPageProps) {
  const { project } = await openProject((await params).project)
  const { slug, name, writeKey, hosts, timeZone } = project
  const question = questionIn(await searchParams)
  const address = await installationAddress()
  const snippetOptions = { address, base: question.proxy ? proxyPrefix : address, key: writeKey }

  return (
    <Page
      title="Connect"
      description="Send events from a site, an app or a server, with the SDK it already uses."
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <ClientPanel slug={slug} question={question} snippetOptions={snippetOptions} />
          <ProxyPanel slug={slug} question={question} address={address} hosts={hosts} />
        </div>
        <div className="flex min-w-0 flex-col gap-6 lg:sticky lg:top-19">
          <WaitingPanel project={{ slug, key: writeKey, hosts, timeZone }} address={address} />
          <div className="max-lg:hidden">
            <Panel title="Made by hand?" description="The settings that a client needs.">
              <div className="flex flex-col gap-4">
                <CopyField label="Address" value={address} />
                <CopyField label="Write key" value={writeKey} hint="Public by design: it can only write." />
              </div>
            </Panel>
          </div>
        </div>
      </div>
    </Page>
  )
}

type ConnectPageQuestion = Required<Pick<ConnectQuestion, 'with'>> & { proxy: ProxyName | undefined }

/** Ignores invalid values in the address. */
const questionIn = (searchParams: Awaited<ConnectPageProps['searchParams']>) =>
  ({
    with: isClient(searchParams['with']) ? searchParams['with'] : 'tilth',
    proxy: isProxy(searchParams['proxy']) ? searchParams['proxy'] : undefined,
  }) satisfies ConnectPageQuestion

function ClientPanel({
  slug,
  question,
  snippetOptions,
}: {
  slug: string
  question: ReturnType<typeof questionIn>
  snippetOptions: SnippetOptions
}) {
  const { about, snippets, note } = clientNamed(question.with)
  const tabs = clientNames.map((name) => ({
    label: clients[name].label,
    href: paths.connect(slug, { ...question, with: name }),
    current: name === question.with,
  }))

  return (
    <Panel title="What should send?">
      <LinkTabs label="Clients" tabs={tabs} />
      <div className="mt-4 flex flex-col gap-4">
        <p className="text-pretty text-muted">{about}</p>
        {snippets(snippetOptions).map((snippet) => (
          <CodeBlock key={snippet.title} {...snippet} />
        ))}
        {note && <p className="text-pretty text-muted">{note}</p>}
      </div>
    </Panel>
  )
}

/** The compiler would otherwise forget that notes are optional. */
const clientNamed = (name: keyof typeof clients): (typeof clients)[typeof name] & { note?: string } =>
  clients[name]

function ProxyPanel({
  slug,
  question,
  address,
  hosts,
}: {
  slug: string
  question: ReturnType<typeof questionIn>
  address: string
  hosts: readonly string[]
}) {
  const tabs = [
    {
      label: 'Directly',
      href: paths.connect(slug, { ...question, proxy: undefined }),
      current: !question.proxy,
    },
    ...proxyNames.map((name) => ({
      label: proxies[name].label,
      href: paths.connect(slug, { ...question, proxy: name }),
      current: name === question.proxy,
    })),
  ]

  return (
    <Panel
      title="By which way?"
      description={`Directly, or below ${proxyPrefix}/ of the site’s own address.`}
    >
      <LinkTabs label="Ways" tabs={tabs} />
      <div className="mt-4 flex flex-col gap-4">
        {question.proxy ? (
          <ProxyGuide name={question.proxy} address={address} hosts={hosts} />
        ) : (
          <p className="text-pretty text-muted">
            Browsers send straight to {address}. Some visitors’ ad blockers stop that. They have nothing to
            stop where the site itself passes events on: choose what the site is served by, and the snippets
            above change with it.
          </p>
        )}
      </div>
    </Panel>
  )
}

function ProxyGuide({
  name,
  address,
  hosts,
}: {
  name: ProxyName
  address: string
  hosts: readonly string[]
}) {
  const { snippet, note }: { snippet: (upstream: ReturnType<typeof upstreamAt>) => Snippet; note?: string } =
    proxies[name]
  return (
    <>
      <CodeBlock {...snippet(upstreamAt(address, hosts))} />
      {note && <p className="text-pretty text-muted">{note}</p>}
      <p className="text-pretty text-muted">
        Then every visitor seems to come from that server, until Tilth is told to believe what it says about
        them: start it with <code className="font-mono text-xs text-ink">TILTH_TRUST_PROXY=1</code>, or with
        one more where a proxy stands before Tilth as well. Choose another path than {proxyPrefix} if the site
        has a page there.
      </p>
    </>
  )
}
