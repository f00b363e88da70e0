import { clsx } from 'clsx'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import type { ExplainParameters } from '#studio/paths'
import { getProduct } from '#studio/product'
import type { SearchParams } from '#studio/search-params'
import { namesIn } from '../editor/editor-choices'
import { FlagFrame } from '../FlagFrame'
import { type FlagParams, type OpenedFlag, openFlag, titleOf } from '../open-flag'
import { DecisionPath } from './DecisionPath'
import { ExplainForm } from './ExplainForm'
import { explainRequestOf, explainParametersIn } from './parameters'
import { TryVariant } from './TryVariant'

interface ExplainFlagPageProps {
  params: FlagParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: ExplainFlagPageProps): Promise<Metadata> =>
  titleOf(params, 'Explain')

/** The decision for one visitor with its reasons, and the way to override it. */
export async function ExplainFlagPage({ params, searchParams }: ExplainFlagPageProps) {
  const search = await searchParams
  const opened = await openFlag(params, search)
  const { project, flag, environment, environments } = opened
  const parameters = { ...explainParametersIn(search), environment }

  return (
    <FlagFrame {...opened} view="explain">
      <div
        className={clsx(
          'grid items-start gap-5',
          parameters.visitor === undefined
            ? 'lg:grid-cols-2'
            : 'lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]',
        )}
      >
        <Panel title="Visitor">
          <ExplainForm
            key={environment}
            slug={project.slug}
            flagKey={flag.key}
            parameters={parameters}
            environments={environments}
          />
        </Panel>
        {parameters.visitor !== undefined && (
          <div className="min-w-0 lg:row-span-2">
            <Suspense key={JSON.stringify(parameters)} fallback={<Skeleton className="h-80 w-full" />}>
              <Explained opened={opened} parameters={parameters} visitor={parameters.visitor} />
            </Suspense>
          </div>
        )}
        {flag.kind !== 'config' && (
          <TryVariant slug={project.slug} flagKey={flag.key} variants={flag.variants.map(({ key }) => key)} />
        )}
      </div>
    </FlagFrame>
  )
}

async function Explained({
  opened: { project, viewer, flag, environment },
  parameters,
  visitor,
}: {
  opened: OpenedFlag
  parameters: ExplainParameters
  visitor: string
}) {
  const { flags } = getProduct()
  const { cohorts } = getProduct().people
  const answer = await flags.explain(project.id, flag.key, explainRequestOf(parameters, environment), viewer)
  if (!answer.done)
    return (
      <Panel>
        <FailedMessage
          title="The evaluation failed"
          body={answer.problems.map(({ message }) => message).join(' ')}
        />
      </Panel>
    )
  return (
    <DecisionPath
      explanation={answer.explanation}
      sets={flag.environments[environment]?.conditions ?? []}
      names={namesIn({ cohorts: await cohorts.names(project.id, viewer) })}
      visitor={visitor}
    />
  )
}
