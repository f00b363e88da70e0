import { type ReactNode, Suspense } from 'react'
import { TextLink } from '#ui/Anchor'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { whyNot as whyNotFor } from '#studio/parts/open-project'
import { CalendarDate, clockOf } from '#studio/parts/RelativeTime'
import { SubjectShareButton } from '#studio/shares/SubjectShareButton'
import { ProposalNotices } from '#studio/proposals/ProposalNotices'
import { EndExperiment } from './EndExperiment'
import { ExperimentMenu } from './ExperimentMenu'
import { ExperimentStatusBadge } from '#studio/parts/ExperimentStatusBadge'
import { type ExperimentParams, type OpenExperiment, openExperiment } from './open-experiment'
import { ShipVariant } from './ShipVariant'
import { ExperimentTabs } from './ExperimentTabs'
import { RestoreExperiment } from './RestoreExperiment'
import { UndoEnd } from './UndoEnd'

interface ExperimentLayoutProps {
  params: ExperimentParams
  children: ReactNode
}

/** The heading and tabs of every page about an experiment. */
export async function ExperimentLayout({ params, children }: ExperimentLayoutProps) {
  const { project: slug, experiment: id } = await params
  const opened = await openExperiment(slug, id)
  const { project, role, experiment, status } = opened
  const { name } = experiment
  const whyNot = whyNotFor('experiments:write', role)
  return (
    <Page
      title={name}
      badge={<ExperimentStatusBadge status={status} />}
      description={<Facts opened={opened} />}
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Experiments', href: paths.experiments(slug) },
      ]}
      actions={
        <>
          <EndOrUndo opened={opened} whyNot={whyNot} />
          <SubjectShareButton
            {...opened}
            subject={{ kind: 'experiment', id }}
            name={name}
            metrics={experiment.metrics}
            {...(status === 'archived' && { unless: 'The experiment is archived. Restore it first.' })}
          />
          <ExperimentMenu
            slug={slug}
            id={id}
            name={name}
            isRunning={status === 'running'}
            isArchived={status === 'archived'}
            whyNot={whyNot}
          />
        </>
      }
      tabs={<ExperimentTabs slug={slug} id={id} name={name} />}
    >
      {status === 'archived' && (
        <Notice
          tone="warning"
          title="This experiment is archived"
          action={<RestoreExperiment slug={slug} id={id} name={name} whyNot={whyNot} />}
        >
          It is not in the list of experiments. Its results and notes stay.
        </Notice>
      )}
      <Suspense fallback={null}>
        <ProposalNotices opened={opened} thing={`experiments/${id}`} />
      </Suspense>
      {children}
    </Page>
  )
}

const onlyFixed = 'Only an experiment with fixed weights can be reopened. Duplicate it, and start the copy.'

/** The ways to end a running experiment, or to undo its end. */
function EndOrUndo({ opened, whyNot }: { opened: OpenExperiment; whyNot: string | undefined }) {
  const { project, experiment, flag, status } = opened
  const { kind, conclusion } = experiment
  if (status !== 'running' && status !== 'ended') return null
  const shared = { slug: project.slug, id: experiment.id, name: experiment.name }
  if (status === 'ended')
    return (
      <UndoEnd
        {...shared}
        shipped={flag?.version === conclusion?.flagVersion ? conclusion?.variant : undefined}
        whyNot={whyNot ?? (kind === 'fixed' ? undefined : onlyFixed)}
      />
    )
  return (
    <>
      <EndExperiment {...shared} whyNot={whyNot} isRollout={kind === 'rollout'} />
      {kind !== 'rollout' && (
        <ShipVariant
          {...shared}
          whyNot={whyNot}
          flag={experiment.flag}
          variants={flag?.variants.map(({ key }) => key) ?? []}
        />
      )}
    </>
  )
}

/** The flag that is compared, and since when. */
function Facts({ opened: { project, experiment } }: { opened: OpenExperiment }) {
  const { flag, startedAt, endedAt } = experiment
  const clock = clockOf(project)
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span>
        Flag{' '}
        <TextLink href={paths.flag(project.slug, flag)}>
          <span className="font-mono">{flag}</span>
        </TextLink>
      </span>
      {startedAt && (
        <>
          <span aria-hidden>·</span>
          <span>
            Started <CalendarDate at={startedAt} clock={clock} />
          </span>
        </>
      )}
      {endedAt && (
        <>
          <span aria-hidden>·</span>
          <span>
            Ended <CalendarDate at={endedAt} clock={clock} />
          </span>
        </>
      )}
    </span>
  )
}
