import type { Metadata } from 'next'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { CopyField } from '#ui/copy/CopyField'
import { LinkButton } from '#ui/LinkButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { type ConnectParameters, paths } from '#studio/paths'
import { openProject } from '#studio/parts/open-project'
import type { SearchParams } from '#studio/search-params'
import { installationAddress } from './address'
import { clientLabels, type ClientName, clientNames, isClient } from '#studio/live/client-names'
import { clients } from './clients'
import { clientOf, recentLibraries } from './libraries'
import { type SnippetOptions, proxyPrefix, type Snippet } from './snippet'
import { isProxy, proxies, type ProxyName, proxyNames, upstreamAt } from './proxies'
import { WaitingPanel } from './WaitingPanel'

export const metadata: Metadata = { title: 'Connect' }

interface ConnectPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

export async function ConnectPage({ params, searchParams }: ConnectPageProps) {
  const { project, viewer } = await openProject((await params).project)
  const { slug, name, writeKey, hosts, timeZone } = project
  const parameters = parametersIn(await searchParams, clientOf(await recentLibraries(project.id, viewer)))
  const address = await installationAddress()
  const snippetOptions = { address, base: parameters.proxy ? proxyPrefix : address, key: writeKey }

  return (
    <Page
      title="Connect"
      description="Send events from a website, an app or a server with the SDK you already use."
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
      actions={
        <>
          <LinkButton href={paths.connectAgents(slug)}>Agents</LinkButton>
          <LinkButton href={paths.firstVisit(slug)}>First visit</LinkButton>
        </>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <ClientPanel slug={slug} parameters={parameters} snippetOptions={snippetOptions} />
          <ProxyPanel slug={slug} parameters={parameters} address={address} hosts={hosts} />
        </div>
        <div className="flex min-w-0 flex-col gap-6 lg:sticky lg:top-19">
          <WaitingPanel project={{ slug, key: writeKey, hosts, timeZone }} address={address} />
          <div className="max-lg:hidden">
            <Panel title="Manual set-up" description="The values that a client needs.">
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

type ConnectPageParameters = Required<Pick<ConnectParameters, 'with'>> & { proxy: ProxyName | undefined }

/** Ignores invalid values in the address. */
const parametersIn = (searchParams: Awaited<ConnectPageProps['searchParams']>, usual: ClientName) =>
  ({
    with: isClient(searchParams['with']) ? searchParams['with'] : usual,
    proxy: isProxy(searchParams['proxy']) ? searchParams['proxy'] : undefined,
  }) satisfies ConnectPageParameters

function ClientPanel({
  slug,
  parameters,
  snippetOptions,
}: {
  slug: string
  parameters: ReturnType<typeof parametersIn>
  snippetOptions: SnippetOptions
}) {
  const { about, snippets, note } = clientNamed(parameters.with)
  const tabs = clientNames.map((name) => ({
    label: clientLabels[name],
    href: paths.connect(slug, { ...parameters, with: name }),
    current: name === parameters.with,
  }))

  return (
    <Panel title="Choose your SDK">
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
  parameters,
  address,
  hosts,
}: {
  slug: string
  parameters: ReturnType<typeof parametersIn>
  address: string
  hosts: readonly string[]
}) {
  const tabs = [
    {
      label: 'No proxy',
      href: paths.connect(slug, { ...parameters, proxy: undefined }),
      current: !parameters.proxy,
    },
    ...proxyNames.map((name) => ({
      label: proxies[name].label,
      href: paths.connect(slug, { ...parameters, proxy: name }),
      current: name === parameters.proxy,
    })),
  ]

  return (
    <Panel
      title="Proxy (avoids ad blockers)"
      description={`Serve Tilth under ${proxyPrefix}/ of your own domain.`}
    >
      <LinkTabs label="Proxies" tabs={tabs} />
      <div className="mt-4 flex flex-col gap-4">
        {parameters.proxy ? (
          <ProxyGuide name={parameters.proxy} address={address} hosts={hosts} />
        ) : (
          <p className="text-pretty text-muted">
            Browsers send directly to {address}, which ad blockers may stop. Choose what serves your site to
            send events through your own domain; the snippets above change with it.
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
        So that visitors keep their own IP address, start Tilth with{' '}
        <code className="font-mono text-xs text-ink">TILTH_TRUST_PROXY=1</code>, plus one for each further
        proxy in front of Tilth. Choose another path than {proxyPrefix} if the site has a page there.
      </p>
    </>
  )
}
