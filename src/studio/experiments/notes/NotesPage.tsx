import type { Metadata } from 'next'
import { Panel } from '#ui/page/Panel'
import { Conclusion } from '../Conclusion'
import { type ExperimentParams, openExperiment, titleOf } from '../open-experiment'
import { NotesForm } from './NotesForm'

interface NotesPageProps {
  params: ExperimentParams
}

export const generateMetadata = ({ params }: NotesPageProps): Promise<Metadata> => titleOf(params, 'Notes')

/** The expectations of an experiment, and the lessons learned. */
export async function NotesPage({ params }: NotesPageProps) {
  const { project: slug, experiment: id } = await params
  const opened = await openExperiment(slug, id)
  const { hypothesis, notes, changedAt } = opened.experiment
  return (
    <>
      <Conclusion opened={opened} />
      <Panel title="Hypothesis and notes" description="The search of the list of experiments finds them.">
        <NotesForm
          key={changedAt.toISOString()}
          changedAt={changedAt.toISOString()}
          slug={slug}
          id={id}
          hypothesis={hypothesis}
          notes={notes}
          whyNot={opened.whyNot}
        />
      </Panel>
    </>
  )
}
