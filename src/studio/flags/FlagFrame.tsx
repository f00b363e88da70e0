import { type ReactNode, Suspense } from 'react'
import { flagPart } from '#flags/flag-address'
import { Badge } from '#ui/Badge'
import { LinkButton } from '#ui/LinkButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { type FlagView, paths } from '#studio/paths'
import { whyNot as whyNotFor } from '#studio/parts/open-project'
import { ProposalNotices } from '#studio/proposals/ProposalNotices'
import { EnvironmentChoice } from './EnvironmentChoice'
import { FlagMenu } from './FlagMenu'
import type { OpenedFlag } from './open-flag'
import { RestoreFlag } from './RestoreFlag'

const views: { view: FlagView; label: string }[] = [
  { view: 'rules', label: 'Rules' },
  { view: 'people', label: 'People' },
  { view: 'explain', label: 'Explain' },
  { view: 'numbers', label: 'Usage' },
  { view: 'history', label: 'History' },
  { view: 'code', label: 'Code' },
]

/** The heading and tabs of every page about a flag. */
export function FlagFrame({
  view,
  children,
  ...opened
}: OpenedFlag & { view: FlagView; children: ReactNode }) {
  const { project, role, flag, environment, environments } = opened
  const { slug, name } = project
  const reason = whyNotFor('flags:write', role)
  return (
    <Page
      title={<span className="font-mono text-xl break-all">{flag.key}</span>}
      badge={<State flag={flag} environment={environment} />}
      description={flag.description || undefined}
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Flags', href: paths.flags(slug) },
      ]}
      actions={
        <>
          {environments.length > 1 && view === 'rules' && (
            <LinkButton href={paths.compareEnvironments(slug, { flag: flag.key })} variant="quiet">
              Compare
            </LinkButton>
          )}
          {environments.length > 1 && view !== 'history' && (
            <EnvironmentChoice
              slug={slug}
              flagKey={flag.key}
              view={view}
              environment={environment}
              environments={environments}
            />
          )}
          {!flag.archivedAt && <FlagMenu slug={slug} flagKey={flag.key} whyNot={reason} />}
        </>
      }
      tabs={
        <LinkTabs
          label={`Views of ${flag.key}`}
          tabs={views.map((one) => ({
            label: one.label,
            href: paths.flag(slug, flag.key, one.view, {
              environment: environment === environments[0] ? undefined : environment,
            }),
            current: one.view === view,
          }))}
        />
      }
    >
      {flag.archivedAt && (
        <Notice
          tone="warning"
          title="This flag is archived"
          action={<RestoreFlag slug={slug} flagKey={flag.key} whyNot={reason} />}
        >
          SDKs get no value for it.
        </Notice>
      )}
      <Suspense fallback={null}>
        <ProposalNotices opened={opened} thing={`flags/${flagPart(flag.key)}`} />
      </Suspense>
      {children}
    </Page>
  )
}

function State({ flag, environment }: Pick<OpenedFlag, 'flag' | 'environment'>) {
  if (flag.archivedAt) return <Badge>Archived</Badge>
  const isOn = flag.environments[environment]?.isOn ?? false
  return (
    <>
      <Badge tone={isOn ? 'success' : 'neutral'} dot>
        {isOn ? 'On' : 'Off'} in {environment}
      </Badge>
      {flag.isSecret && <Badge>Secret</Badge>}
    </>
  )
}
