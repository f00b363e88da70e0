import { renderToStaticMarkup } from 'react-dom/server'
import { metricRoles } from '#experiments/experiment'
import { TextLink } from '#ui/Anchor'
import { ChartFrame } from '#ui/chart/ChartFrame'
import { StillCharts } from '#ui/chart/still-charts'
import { Notice } from '#ui/page/Notice'
import { datesInWords } from '#studio/experiments/results/date-words'
import { MetricTable } from '#studio/experiments/results/MetricTable'
import { Units } from '#studio/experiments/results/Units'
import { verdictTones } from '#studio/experiments/results/verdict-tones'
import { variantColours } from '#studio/flags/variant-colour'
import { InsightChart } from '#studio/insights/chart/InsightChart'
import { hasTable, titleFor } from '#studio/insights/kinds'
import type { PictureInput, PictureSubject } from './picture'

type SubjectOf<Of extends PictureSubject['of']> = Extract<PictureSubject, { of: Of }>

/** Draws an answer as the studio does, for a document that has its styles and none of its scripts. */
export async function drawPicture(input: PictureInput): Promise<string> {
  const { subject } = input
  const drawn =
    subject.of === 'insight' ? (
      await insightPicture(input, subject)
    ) : (
      <ExperimentPicture input={input} subject={subject} />
    )
  return renderToStaticMarkup(<StillCharts>{drawn}</StillCharts>)
}

async function insightPicture(
  input: PictureInput,
  { title: name, answered }: SubjectOf<'insight'>,
): Promise<React.ReactNode> {
  const title = name ?? titleFor(answered.question)
  return (
    <ChartFrame
      title={title}
      description={input.sentence}
      hasTable={hasTable(answered.question)}
      footer={<PictureNotes {...input} />}
    >
      {await InsightChart({ answered, title, settings: input.settings, size: 'md' })}
    </ChartFrame>
  )
}

function ExperimentPicture({
  input,
  subject: { experiment, result },
}: {
  input: PictureInput
  subject: SubjectOf<'experiment'>
}) {
  const { verdict, report, byPhase, flagVariants } = result
  const colourOf = variantColours(flagVariants)
  return (
    <article className="flex flex-col gap-3 rounded-lg border border-line bg-canvas p-4">
      <header>
        <h1 className="text-lg leading-tight font-semibold wrap-anywhere">{experiment.name}</h1>
        <p className="mt-0.5 text-xs text-muted">{datesInWords(experiment, input.settings.timeZone)}</p>
      </header>
      <Notice tone={verdictTones[verdict.advice]} title={input.sentence} />
      {report && <Units report={report} colourOf={colourOf} />}
      {report &&
        metricRoles.map((role) => (
          <MetricTable
            key={role}
            now={input.now}
            scale="relative"
            {...{ experiment, report, colourOf, byPhase, role }}
          />
        ))}
      <footer className="text-xs text-muted">
        <PictureNotes {...input} />
      </footer>
    </article>
  )
}

const PictureNotes = ({ notes, link }: PictureInput) => (
  <div className="flex flex-col gap-1 wrap-anywhere">
    {notes.map((note, place) => (
      <p key={place}>{note}</p>
    ))}
    <p>
      <TextLink href={link}>Open in Tilth</TextLink>
    </p>
  </div>
)
