'use client'

import { Play, RotateCcw, Square } from 'lucide-react'
import { useState } from 'react'
import type { SurveyStatus } from '#surveys/survey'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { TextInput } from '#ui/form/TextInput'
import { dateTime } from '#ui/format'
import { useDirectChange } from '#studio/parts/Change'
import { launchSurvey, resumeSurvey, stopSurvey } from '../actions'

interface LaunchButtonsProps {
  slug: string
  survey: { id: string; name: string; startsAt?: Date | undefined }
  status: SurveyStatus
  whyNotLaunch: string | undefined
  whyNot: string | undefined
  timeZone: string
}

const statusWords: Record<SurveyStatus, string> = {
  draft: 'The survey is a draft.',
  scheduled: 'The survey is scheduled for',
  running: 'The survey is running.',
  full: 'The survey has reached its response limit.',
  ended: 'The survey has ended.',
  archived: 'The survey is archived.',
}

/** Launches, stops and resumes a survey. */
export function LaunchButtons(props: LaunchButtonsProps) {
  const { slug, survey, status, whyNot, timeZone } = props
  const { make, question } = useDirectChange()
  const [isStopping, setStopping] = useState(false)
  const { id, name, startsAt } = survey
  return (
    <div className="mt-2 flex flex-col gap-3 border-t border-line pt-4">
      {question}
      <output className="block">
        {statusWords[status]}
        {status === 'scheduled' && startsAt ? ` on ${dateTime(startsAt, timeZone)}.` : ''}
      </output>
      {status === 'draft' && <LaunchForm {...props} />}
      {(status === 'running' || status === 'full' || status === 'scheduled') && (
        <div>
          <Button icon={<Icon of={Square} />} onClick={() => setStopping(true)} disabledReason={whyNot}>
            Stop
          </Button>
          <AlertDialog
            open={isStopping}
            onOpenChange={setStopping}
            title={`Stop ${name}?`}
            body="It is no longer shown and accepts no responses. You can resume it."
            confirmLabel="Stop survey"
            onConfirm={() => make(() => stopSurvey(slug, id), { saved: `${name} stopped` })}
          />
        </div>
      )}
      {status === 'ended' && (
        <div>
          <Button
            icon={<Icon of={RotateCcw} />}
            disabledReason={whyNot}
            onClick={() => void make(() => resumeSurvey(slug, id), { saved: `${name} resumed` })}
          >
            Resume
          </Button>
        </div>
      )}
    </div>
  )
}

function LaunchForm({ slug, survey, whyNotLaunch }: LaunchButtonsProps) {
  const { make, question } = useDirectChange()
  const [at, setAt] = useState('')
  const [problem, setProblem] = useState<string>()

  async function launch() {
    const instant = at === '' ? undefined : new Date(at)
    const failed = await make(() => launchSurvey(slug, survey.id, instant), {
      saved: `${survey.name} launched`,
    })
    setProblem(failed?.error)
  }
  return (
    <div className="flex flex-wrap items-end gap-3">
      {question}
      <div className="w-56">
        <Field
          label="Start date"
          optional
          hint="Leave empty to launch now."
          {...(problem !== undefined && { error: problem })}
        >
          <TextInput type="datetime-local" value={at} onChange={({ target }) => setAt(target.value)} />
        </Field>
      </div>
      <div className="pb-5.5">
        <Button
          variant="primary"
          icon={<Icon of={Play} />}
          onClick={() => void launch()}
          disabledReason={whyNotLaunch}
        >
          Launch
        </Button>
      </div>
    </div>
  )
}
