import { ExternalLink } from 'lucide-react'
import type { Metadata } from 'next'
import { type ReactNode, Suspense } from 'react'
import { type Right, roleCovers } from '#projects/access'
import { platforms } from '#site-checks/platform'
import type { SiteCheck } from '#site-checks/site-checks'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { type Opened, openProject } from '#studio/parts/open-project'
import { installationAddress } from '../address'
import { clients } from '../clients'
import { LazyFirstVisitEvents } from '../LazyPanels'
import { type CardKind, cardKinds } from './first-cards'

export const metadata: Metadata = { title: 'First visit' }

export async function FirstVisitPage({ params }: { params: Promise<{ project: string }> }) {
  const opened = await openProject((await params).project)
  const { slug, name } = opened.project

  return (
    <Page
      title="First visit"
      description="Add the tag to your site, visit it, and see what arrives."
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Connect', href: paths.connect(slug) },
      ]}
      actions={<LinkButton href={paths.project(slug)}>Continue to Home</LinkButton>}
    >
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <Visit opened={opened} address={await installationAddress()} />
      </Suspense>
    </Page>
  )
}

interface VisitProps {
  opened: Opened
  address: string
}

async function Visit({ opened, address }: VisitProps) {
  const { project, viewer, role } = opened
  const { id, slug, writeKey, hosts, timeZone } = project
  const check = await getProduct().siteChecks.check(id, address, viewer)

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-6 max-lg:order-last">
        <SitePanel project={project} check={check} />
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        {check.is !== 'own' && <TagPanel project={project} check={check} address={address} />}
        <LazyFirstVisitEvents
          project={{ slug, key: writeKey, hosts, timeZone }}
          address={address}
          buttons={check.is === 'reached' ? check.page.buttons : []}
          kinds={cardKinds.filter((kind) => roleCovers(role, rightOf[kind]))}
        />
      </div>
    </div>
  )
}

const rightOf: Record<CardKind, Right> = {
  goal: 'insights:write',
  flag: 'flags:write',
  survey: 'surveys:write',
}

interface SiteProps {
  project: Opened['project']
  check: SiteCheck
}

/** The page of the site, or why it is not shown. */
function SitePanel({ project: { slug, siteAddress }, check }: SiteProps) {
  if (check.is === 'absent')
    return (
      <Panel title="Your site">
        <Without title="No site address yet" action={<SettingsLink slug={slug} label="Add the address" />}>
          Add the address in the settings, or publish a site with Tilth: write its first post or page.
        </Without>
      </Panel>
    )
  const open = check.is === 'own' ? `${new URL(siteAddress).origin}/` : siteAddress
  return (
    <Panel title="Your site" description={siteAddress} actions={<OpenSite href={open} />}>
      {check.is === 'reached' && check.page.mayBeFramed ? (
        // a document of this Tilth, which shows the site in a sandbox
        // oxlint-disable-next-line react/iframe-missing-sandbox
        <iframe
          title="Your site"
          src={paths.siteFrame(slug)}
          className="h-160 max-h-[70vh] w-full rounded-md border border-line bg-white"
        />
      ) : (
        <Without {...reasonOf(check)} action={<SettingsLink slug={slug} label="Change the address" />} />
      )}
    </Panel>
  )
}

function reasonOf(check: SiteCheck): { title: string; children: string } {
  if (check.is === 'own')
    return {
      title: 'Tilth serves this site',
      children: 'Visits of its pages are counted without a tag. Open it to see the first one.',
    }
  if (check.is === 'unreachable')
    return {
      title: 'The site could not be loaded',
      children: `${check.why} The tag works all the same: add it, then open the site.`,
    }
  return {
    title: 'This site does not allow being shown in other pages',
    children: 'Add the tag, then open the site in a new tab. The first event is shown here as it comes.',
  }
}

const Without = ({ title, children, action }: { title: string; children?: ReactNode; action: ReactNode }) => (
  <Notice tone="info" title={title} action={action}>
    {children}
  </Notice>
)

const SettingsLink = ({ slug, label }: { slug: string; label: string }) => (
  <LinkButton size="sm" href={paths.settings(slug)}>
    {label}
  </LinkButton>
)

const OpenSite = ({ href }: { href: string }) => (
  <LinkButton
    variant="primary"
    size="sm"
    href={href}
    target="_blank"
    rel="noopener noreferrer"
    iconEnd={<Icon of={ExternalLink} />}
  >
    Open your site
  </LinkButton>
)

function TagPanel({ project: { slug, writeKey }, check, address }: SiteProps & { address: string }) {
  const [tag] = clients.tilth.snippets({ address, base: address, key: writeKey })
  const page = check.is === 'reached' ? check.page : undefined
  const platform = page?.platform && platforms[page.platform]
  return (
    <Panel
      title="Add the tag"
      actions={
        <LinkButton size="sm" variant="quiet" href={paths.connect(slug)}>
          Other SDKs
        </LinkButton>
      }
    >
      <div className="flex flex-col gap-4">
        {page?.hasTag && (
          <Notice tone="success" title="The page has the write key of this project">
            Open the site to see its first event.
          </Notice>
        )}
        {tag && <CodeBlock {...tag} />}
        {platform && (
          <p className="text-pretty text-muted">
            {platform.label}: {platform.place}.
          </p>
        )}
      </div>
    </Panel>
  )
}
