import type { Metadata } from 'next'
import { Suspense } from 'react'
import { EmptyMessage } from '../../../../../../../../../ui/EmptyMessage'
import { FailedMessage } from '../../../../../../../../../ui/FailedMessage'
import { Panel } from '../../../../../../../../../ui/Panel'
import { Skeleton } from '../../../../../../../../../ui/Skeleton'
import type { ExplainQuestion } from '../../../../../../../../paths'
import { getProduct } from '../../../../../../../../product'
import type { Search } from '../../../../people/question'
import { namesIn } from '../../../editor/ground'
import { ExplainedPath } from '../../../explain/ExplainedPath'
import { ExplainForm } from '../../../explain/ExplainForm'
import { askedOf, explainQuestionIn } from '../../../explain/question'
import { FlagFrame } from '../../../FlagFrame'
import { type FlagParams, type OpenedFlag, openFlag, titleOf } from '../../../open-flag'
import { TryingOut } from './TryingOut'

interface ExplainPageProps {
  params: FlagParams
  searchParams: Promise<Search>
}

export const generateMetadata = ({ params }: ExplainPageProps): Promise<Metadata> =>
  titleOf(params, 'Explain')

/** What one visitor gets of this flag, and why; and how to get something else on purpose. */
export default async function ExplainFlagPage({ params, searchParams }: ExplainPageProps) {
  const search = await searchParams
  const opened = await openFlag(params, search)
  const { project, flag, environment, environments } = opened
  const question = { ...explainQuestionIn(search), environment }

  return (
    <FlagFrame {...opened} view="explain">
      <div className="grid items-start gap-5 lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
        <Panel title="For whom">
          <ExplainForm
            key={environment}
            slug={project.slug}
            flagKey={flag.key}
            question={question}
            environments={environments}
          />
        </Panel>
        <div className="min-w-0 lg:row-span-2">
          {question.visitor === undefined ? (
            <Panel>
              <EmptyMessage
                title="Say who is asking"
                body="With a distinct id, the flag is decided as it would be for them now, and each step of it is told."
              />
            </Panel>
          ) : (
            <Suspense key={JSON.stringify(question)} fallback={<Skeleton className="h-80 w-full" />}>
              <Explained opened={opened} question={question} visitor={question.visitor} />
            </Suspense>
          )}
        </div>
        {flag.kind !== 'config' && (
          <TryingOut slug={project.slug} flagKey={flag.key} variants={flag.variants.map(({ key }) => key)} />
        )}
      </div>
    </FlagFrame>
  )
}

async function Explained({
  opened: { project, viewer, flag, environment },
  question,
  visitor,
}: {
  opened: OpenedFlag
  question: ExplainQuestion
  visitor: string
}) {
  const { flags, cohorts } = getProduct()
  const answer = await flags.explain(project.id, flag.key, askedOf(question, environment), viewer)
  if (!answer.done)
    return (
      <Panel>
        <FailedMessage
          title="It cannot be explained"
          body={answer.problems.map(({ message }) => message).join(' ')}
        />
      </Panel>
    )
  return (
    <ExplainedPath
      explanation={answer.explanation}
      sets={flag.environments[environment]?.conditions ?? []}
      names={namesIn({ cohorts: await cohorts.names(project.id, viewer) })}
      visitor={visitor}
    />
  )
}
