'use client'

import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { propertyLabel } from '#events/taxonomy'
import { audienceInWords } from '#surveys/audience'
import { flowProblems } from '#surveys/flow'
import type { SurveySchedule, SurveyStatus } from '#surveys/survey'
import { type PlaceVerdict, whereItRuns } from '#surveys/where-it-runs'
import { dateTime, number, plural } from '#ui/format'
import { Icon } from '#ui/Icon'
import { Panel } from '#ui/page/Panel'
import { LiveCount } from '#studio/parts/LiveCount'
import { type SurveyAudienceCount, countSurveyAudience } from '../actions'
import { useBuilder } from './BuilderContext'
import type { SurveyDraft } from './draft'
import { LaunchButtons } from './LaunchButtons'
import { placeLabels } from './PlaceList'

interface LaunchPanelProps {
  draft: SurveyDraft
  survey: { id: string; name: string; startsAt?: Date | undefined }
  status: SurveyStatus
  /** Why it cannot be launched by this viewer. */
  whyNot: string | undefined
  isUnsaved: boolean
  timeZone: string
}

/** The checks before a survey is launched, and the buttons that launch, stop and resume it. */
export function LaunchPanel({ draft, survey, status, whyNot, isUnsaved, timeZone }: LaunchPanelProps) {
  const { choices } = useBuilder()
  const flow = flowProblems(draft.content)
  const count = draft.content.questions.length
  const places = whereItRuns(draft)
  const isReady = count > 0 && flow.length === 0
  const reason =
    whyNot ??
    (isUnsaved
      ? 'Save your changes first.'
      : isReady
        ? undefined
        : 'The questions have problems. See the list above.')

  return (
    <Panel title="Launch" description="Test the survey in the preview, then launch it.">
      <ul className="flex flex-col divide-y divide-line">
        <Step
          state={isReady ? 'done' : 'problem'}
          title={plural(count, 'question')}
          body={
            count === 0
              ? 'Add a question first.'
              : flow.length > 0
                ? 'A path does not reach the end. See the marked question.'
                : 'Every path reaches the end.'
          }
        />
        <Step
          state="note"
          title="Audience"
          body={
            <>
              <ul>
                {audienceInWords(draft.targeting, propertyLabel).map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
              <div className="mt-1 text-xs">
                <LiveCount
                  slug={choices.slug}
                  of={draft.targeting}
                  count={countSurveyAudience}
                  words={audienceText}
                />
              </div>
            </>
          }
        />
        <Step
          state={places.some(({ runs }) => runs) ? 'done' : 'problem'}
          title="Placement"
          body={placesInWords(places)}
        />
        <Step state="note" title="Frequency" body={scheduleInWords(draft, timeZone)} />
      </ul>
      <LaunchButtons
        slug={choices.slug}
        survey={survey}
        status={status}
        whyNotLaunch={reason}
        whyNot={whyNot}
        timeZone={timeZone}
      />
    </Panel>
  )
}

const signs = {
  done: { icon: CircleCheck, tone: 'text-success', label: 'Ready' },
  problem: { icon: CircleAlert, tone: 'text-danger-ink', label: 'Not ready' },
  note: { icon: CircleDashed, tone: 'text-faint', label: 'To check' },
}

function Step({ state, title, body }: { state: keyof typeof signs; title: string; body: ReactNode }) {
  const { icon, tone, label } = signs[state]
  return (
    <li className="flex gap-2.5 py-3 first:pt-0">
      <span className={`mt-0.5 flex ${tone}`}>
        <Icon of={icon} />
        <span className="sr-only">{label}:</span>
      </span>
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        <div className="wrap-anywhere text-muted">{body}</div>
      </div>
    </li>
  )
}

function audienceText({ matching, of, left }: SurveyAudienceCount): string {
  const counted = `${number(matching)} of the ${number(of)} people of the last 30 days matched in the last week.`
  return [counted, ...left].join(' ')
}

function placesInWords(places: readonly PlaceVerdict[]): string {
  const running = places.filter(({ runs }) => runs).map(({ place }) => placeLabels[place])
  return running.length > 0 ? `${running.join(', ')}.` : 'Nowhere yet. The reasons are next to the preview.'
}

const scheduleWords: Record<SurveySchedule['kind'], (schedule: SurveySchedule) => string> = {
  once: () => 'Once per person.',
  recurring: (schedule) =>
    schedule.kind === 'recurring'
      ? `${schedule.iterations} iterations, one every ${schedule.everyDays} days.`
      : '',
  always: () => 'Shown again after every response.',
}

function scheduleInWords({ schedule, responseLimit, endsAt }: SurveyDraft, timeZone: string): string {
  return [
    scheduleWords[schedule.kind](schedule),
    responseLimit === undefined ? 'No response limit.' : `It closes at ${number(responseLimit)} responses.`,
    endsAt ? `It ends on ${dateTime(endsAt, timeZone)}.` : 'Runs until stopped.',
  ].join(' ')
}
