import type { Metadata } from 'next'
import { TextLink } from '#ui/Anchor'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { CopyField } from '#ui/copy/CopyField'
import { LinkButton } from '#ui/LinkButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { openProject } from '#studio/parts/open-project'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import type { SearchParams } from '#studio/search-params'
import { installationAddress } from '../address'
import { agentClients, isAgentClient } from './agent-clients'

export const metadata: Metadata = { title: 'Agents' }

interface ConnectAgentsPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

/** The steps that connect an assistant. */
export async function ConnectAgentsPage({ params, searchParams }: ConnectAgentsPageProps) {
  const { project } = await openProject((await params).project)
  const { slug, name } = project
  const url = `${await installationAddress()}/mcp`
  const mayConnect = await getProduct().agentAccess.mayConnect(project.id)

  return (
    <Page
      title="Agents"
      description="Let an assistant read this project’s numbers, and propose or make changes for you."
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Connect', href: paths.connect(slug) },
      ]}
      actions={<LinkButton href={paths.agents(slug)}>Connected assistants</LinkButton>}
    >
      {!mayConnect && (
        <Notice tone="warning" title="Assistants are switched off in this project">
          An admin can let them in under <TextLink href={paths.agents(slug)}>Settings → Agents</TextLink>.
        </Notice>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <GuidePanel slug={slug} url={url} wanted={(await searchParams)['with']} />
        <Panel title="Manual set-up" description="The value that a client needs.">
          <CopyField label="Address" value={url} hint="MCP over HTTP, with OAuth or a secret key." />
        </Panel>
      </div>
    </Page>
  )
}

function GuidePanel({ slug, url, wanted }: { slug: string; url: string; wanted: unknown }) {
  const guides = agentClients(url)
  const chosen = isAgentClient(wanted, guides) ? wanted : 'claude-code'
  const { about, signIn, withKey } = guides[chosen]

  return (
    <Panel title="Choose your assistant">
      <LinkTabs
        label="Assistants"
        tabs={Object.entries(guides).map(([name, { label }]) => ({
          label,
          href: paths.connectAgents(slug, { with: name }),
          current: name === chosen,
        }))}
      />
      <div className="mt-4 flex flex-col gap-4">
        <p className="text-pretty text-muted">{about}</p>
        {signIn.map((snippet) => (
          <CodeBlock key={snippet.title} {...snippet} />
        ))}
        {signIn.length > 0 && (
          <p className="text-pretty text-muted">
            You then sign in here, and choose the project and how far the assistant may go.
          </p>
        )}
        {withKey.map((snippet) => (
          <CodeBlock key={snippet.title} {...snippet} />
        ))}
        <p className="text-pretty text-muted">
          A key works where no person can sign in: create one with the scopes that the assistant may use in{' '}
          <TextLink href={paths.keys(slug)}>Settings → Keys</TextLink>.
        </p>
      </div>
    </Panel>
  )
}
