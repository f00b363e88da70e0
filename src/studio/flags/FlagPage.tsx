import type { Metadata } from 'next'
import { getProduct } from '#studio/product'
import { whyNot as whyNotFor } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import type { SearchParams } from '#studio/search-params'
import { FlagEditor } from './editor/FlagEditor'
import { loadEditorChoices } from './load-editor-choices'
import { FlagFrame } from './FlagFrame'
import { type FlagParams, type OpenedFlag, openFlag, titleOf } from './open-flag'
import { ExperimentsPanel } from './planning/ExperimentsPanel'
import { LazyGuardPanel, LazySchedulePanel } from './planning/LazyPanels'
import { clockOf } from '#studio/parts/RelativeTime'

interface FlagPageProps {
  params: FlagParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: FlagPageProps): Promise<Metadata> => titleOf(params)

/** The audience of a flag, and the values it gets. */
export async function FlagPage({ params, searchParams }: FlagPageProps) {
  const opened = await openFlag(params, await searchParams)
  const { flag, environment, role, whyNot } = opened

  return (
    <FlagFrame {...opened} view="rules">
      <FlagEditor
        flag={flag}
        environment={environment}
        choices={await loadEditorChoices(opened, flag.key)}
        whyNot={whyNot}
        whyNotLocal={getProduct().flags.definitions.whyNotLocal(flag, environment)}
        whyNotReveal={whyNotFor('keys:write', role)}
      >
        <Planned {...opened} />
      </FlagEditor>
    </FlagFrame>
  )
}

/** The changes to a flag that are planned by the clock or by the numbers. */
async function Planned({ project, viewer, flag, environment, whyNot }: OpenedFlag) {
  const { experiments } = getProduct()
  const { goals } = getProduct().insights
  const { schedules, guards } = getProduct().flags
  const [planned, guarded, known, compared] = await Promise.all([
    schedules.list(project.id, viewer, flag.key),
    guards.list(project.id, viewer, flag.key),
    goals.list(project.id, viewer),
    tryRead(() => experiments.list(project.id, viewer)),
  ])
  const setting = flag.environments[environment]
  const shared = { slug: project.slug, flagKey: flag.key, environment, clock: clockOf(project), whyNot }

  return (
    <>
      {flag.variants.length >= 2 && compared.allowed && (
        <ExperimentsPanel
          slug={project.slug}
          flagKey={flag.key}
          experiments={compared.found.filter((experiment) => experiment.flag === flag.key)}
        />
      )}
      <LazySchedulePanel
        {...shared}
        schedules={planned.filter((schedule) => schedule.environment === environment)}
        sets={setting?.conditions.length ?? 0}
      />
      {flag.kind !== 'config' && (
        <LazyGuardPanel
          key={environment}
          {...shared}
          guards={guarded.filter((guard) => guard.environment === environment)}
          percentages={setting?.conditions.map(({ percentage }) => (setting.isOn ? percentage : 0)) ?? []}
          variants={flag.variants.map(({ key }) => key)}
          goals={known.map(({ id, name }) => ({ id, name }))}
        />
      )}
    </>
  )
}
