import type { ReactNode } from 'react'
import { LineChart } from '../../../../../../ui/LineChart'
import { NumberTile } from '../../../../../../ui/NumberTile'
import { Panel } from '../../../../../../ui/Panel'
import { Stats } from '../../../../../../ui/Stat'
import { Tooltip } from '../../../../../../ui/Tooltip'
import { VisuallyHidden } from '../../../../../../ui/VisuallyHidden'
import { notesOn, unitOf } from '../../../../../../insights/chart-ground'
import { pointsOf } from '../../../../../../insights/clock'
import type { Totals } from '../../../../../../insights/tell-visits'
import { paths } from '../../../../../paths'
import { askOverview, type Web } from './asking'
import { figureWords, scrollWords } from './figures'
import { NotAnswered } from './NotAnswered'
import { comparisonLabel } from './periods'
import { type FigureName, figureNames, searchOf } from './question'

/** How many came, how long they stayed, what came of it; below, how the chosen figure went. */
export async function FiguresRow({ web }: { web: Web }) {
  const told = await askOverview(web)
  if (!told.done) return <NotAnswered problems={told.problems} />
  const { totals } = told.answer
  if (!totals) return null
  const shown = figureNames.filter((name) => isShown(name, totals, web))
  return (
    <div className="flex flex-col gap-4">
      <Stats>
        {shown.map((name) => (
          <Figure key={name} name={name} totals={totals} web={web} />
        ))}
        <ScrollFigure totals={totals} web={web} />
      </Stats>
      <Panel>
        <Course
          name={shown.find((name) => name === web.question.figure) ?? 'visitors'}
          totals={totals}
          web={web}
        />
      </Panel>
    </div>
  )
}

function isShown(name: FigureName, { figures, compared }: Totals, { goal }: Web): boolean {
  if (figureWords[name].ofGoal) return goal !== undefined
  return name !== 'revenue' || figures.revenue !== 0 || (compared?.figures.revenue ?? 0) !== 0
}

interface FigureProps {
  name: FigureName
  totals: Totals
  web: Web
}

function Figure({ name, totals: { figures, compared }, web: { project, question, ground } }: FigureProps) {
  const { label, about, as, good } = figureWords[name]
  return (
    <Rule about={about}>
      <NumberTile
        label={label}
        value={figures[name]}
        unit={unitOf(as, ground)}
        good={good}
        href={paths.web(project.slug, searchOf({ ...question, figure: name }))}
        current={name === question.figure}
        {...(compared && {
          compared: compared.figures[name],
          comparedLabel: comparisonLabel(question.compare),
        })}
      />
    </Rule>
  )
}

function ScrollFigure({ totals: { figures, compared }, web: { question } }: Omit<FigureProps, 'name'>) {
  if (figures.scroll === null) return null
  const ofWhole = (percent: number | null) => (percent === null ? null : percent / 100)
  return (
    <Rule about={scrollWords.about}>
      <NumberTile
        label={scrollWords.label}
        value={ofWhole(figures.scroll)}
        unit="percent"
        {...(compared && {
          compared: ofWhole(compared.figures.scroll),
          comparedLabel: comparisonLabel(question.compare),
        })}
      />
    </Rule>
  )
}

/** By which rule a figure is counted, for whoever asks. */
function Rule({ about, children }: { about: string; children: ReactNode }) {
  return (
    <Tooltip label={about} side="bottom">
      <div className="grid">
        {children}
        <VisuallyHidden>{about}</VisuallyHidden>
      </div>
    </Tooltip>
  )
}

function Course({ name, totals, web: { question, ground, notes } }: FigureProps) {
  const { starts, course, compared, interval, lastIsIncomplete, period } = totals
  const { label, as } = figureWords[name]
  return (
    <LineChart
      title={label}
      unit={unitOf(as, ground)}
      points={pointsOf(starts, interval, ground.timeZone)}
      series={[
        {
          key: name,
          label,
          values: course.map((figures) => figures[name]),
          ...(compared && { compared: starts.map((_, place) => compared.course[place]?.[name] ?? null) }),
        },
      ]}
      shape="area"
      lastIsIncomplete={lastIsIncomplete}
      annotations={notesOn(starts, period.until, notes)}
      {...(compared && {
        comparison: {
          label: comparisonLabel(question.compare),
          points: pointsOf(compared.starts, interval, ground.timeZone),
        },
      })}
    />
  )
}
