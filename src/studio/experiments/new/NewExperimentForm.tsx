'use client'

import { useSearchParams } from 'next/navigation'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState, useTransition } from 'react'
import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'
import { useNavigation } from '#ui/navigation/Navigation'
import { useToast } from '#ui/overlay/Toast'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { Steps } from '#ui/page/Steps'
import { StudioPickers } from '#studio/insights/pickers'
import { LeavingGuard } from '#studio/parts/LeavingGuard'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { paths } from '#studio/paths'
import { createExperiment } from '../actions'
import { AboutFields } from '../editor/AboutFields'
import { AnalysisFields } from '../editor/AnalysisFields'
import type { ExperimentChoices } from '../editor/choices'
import { ControlField } from '../editor/ControlField'
import { type ExperimentProblems, fieldProblems, inputOf, type NewFlagDraft } from '../editor/draft'
import { ExposureFields, SeveralVariantsField } from '../editor/ExposureFields'
import { KindFields } from '../editor/KindFields'
import { LazyMetricList } from '../metrics/LazyMetricList'
import { FlagFields } from './FlagFields'
import { type NewStep, newSteps, openStep, stepLabels, stepsWithProblems, whyClosed } from './steps'
import { TemplatePicker } from './TemplatePicker'
import { useNewExperiment } from './use-new-experiment'

/** Loaded with its chart when it is opened. */
const PlanStep = lazy(async () => ({ default: (await import('./PlanStep')).PlanStep }))

interface NewExperimentFormProps {
  choices: ExperimentChoices
  /** The key of the flag that the address names. */
  flag: string | undefined
  /** The id of the template that the address names. */
  template: string | undefined
  whyNot: string | undefined
}

/** Makes a draft of an experiment in four steps, and its flag where there is none yet. */
export function NewExperimentForm(props: NewExperimentFormProps) {
  const { choices, flag, template, whyNot } = props
  const made = useNewExperiment(choices, flag, template)
  const { draft, newFlag, isUnsaved } = made
  const { step, go } = useStep(props, made)
  const { create, problems, isPending } = useCreation(choices.slug, made, go)
  const next = newSteps[newSteps.indexOf(step) + 1]
  return (
    <StudioPickers slug={choices.slug}>
      <div className="flex flex-col gap-5">
        <StepList step={step} made={made} problems={problems} onChoose={go} />
        <StepFrame key={step} step={step}>
          <StepFields step={step} choices={choices} made={made} problems={problems} whyNot={whyNot} go={go} />
        </StepFrame>
        <Problems problems={problems} />
        <div className="flex flex-wrap items-center gap-3">
          {next ? (
            <Button
              variant="primary"
              onClick={() => go(next)}
              {...disabledBy(whyClosed(next, { draft, newFlag }))}
            >
              Next: {stepLabels[next]}
            </Button>
          ) : (
            <>
              <Button variant="primary" onClick={create} busy={isPending} {...disabledBy(whyNot)}>
                Create experiment
              </Button>
              <p className="text-muted">It is a draft until you start it.</p>
            </>
          )}
        </div>
        <LeavingGuard isUnsaved={isUnsaved && !isPending} />
      </div>
    </StudioPickers>
  )
}

const disabledBy = (disabledReason: string | undefined) =>
  disabledReason === undefined ? {} : { disabledReason }

type Made = ReturnType<typeof useNewExperiment>

/** The step is in the address, which follows without a request: nothing unsaved is lost. */
function useStep({ choices, flag, template }: NewExperimentFormProps, { draft, newFlag }: Made) {
  const named = useSearchParams()?.get('step')
  const step = openStep(named, { draft, newFlag })
  const go = (next: NewStep) =>
    history.pushState(
      null,
      '',
      paths.newExperiment(choices.slug, {
        ...(flag !== undefined && { flag }),
        ...(template !== undefined && { template }),
        step: next,
      }),
    )
  return { step, go }
}

interface StepListProps {
  step: NewStep
  made: Made
  problems: ExperimentProblems
  onChoose: (step: NewStep) => void
}

function StepList({ step, made: { draft, newFlag }, problems, onChoose }: StepListProps) {
  const broken = stepsWithProblems(problems)
  const markOf = (one: NewStep) => {
    if (broken.includes(one)) return 'problem'
    return newSteps.indexOf(one) < newSteps.indexOf(step) ? 'done' : undefined
  }
  return (
    <Steps
      label="Steps of a new experiment"
      steps={newSteps.map((one) => ({
        value: one,
        label: stepLabels[one],
        mark: markOf(one),
        whyClosed: whyClosed(one, { draft, newFlag }),
      }))}
      current={step}
      onChoose={(chosen) => {
        const found = newSteps.find((one) => one === chosen)
        if (found) onChoose(found)
      }}
    />
  )
}

/** Takes the focus when its step is opened from another one, so that the reader goes on from there. */
function StepFrame({ step, children }: { step: NewStep; children: ReactNode }) {
  const frame = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (new URLSearchParams(location.search).has('step')) frame.current?.focus({ preventScroll: true })
  }, [])
  return (
    <fieldset
      ref={frame}
      aria-label={`Step ${newSteps.indexOf(step) + 1} of ${newSteps.length}: ${stepLabels[step]}`}
      tabIndex={-1}
      className="flex min-w-0 flex-col gap-5 outline-none"
    >
      {children}
    </fieldset>
  )
}

interface StepFieldsProps {
  step: NewStep
  choices: ExperimentChoices
  made: Made
  problems: ExperimentProblems
  whyNot: string | undefined
  go: (step: NewStep) => void
}

function StepFields({ step, choices, made, problems, whyNot, go }: StepFieldsProps) {
  const { draft, newFlag, change } = made
  const fields = { draft, problems, onChange: change }
  if (step === 'idea')
    return (
      <>
        <TemplatePicker
          templates={choices.templates}
          chosen={made.chosenTemplate}
          metrics={draft.metrics}
          onChoose={made.chooseTemplate}
        />
        <Panel>
          <AboutFields {...fields} kind={<KindFields {...fields} />} />
        </Panel>
      </>
    )
  if (step === 'variants') return <VariantFields choices={choices} made={made} problems={problems} />
  if (step === 'metrics')
    return (
      <Panel title="Metrics" description="A primary metric decides, guardrails must not get worse.">
        <LazyMetricList
          metrics={draft.metrics}
          choices={choices}
          onChange={(metrics) => change({ metrics })}
        />
      </Panel>
    )
  return (
    <>
      <Suspense fallback={<Skeleton className="h-80 w-full" />}>
        <PlanStep
          slug={choices.slug}
          draft={draft}
          newFlag={newFlag}
          whyNot={whyNot}
          onChange={change}
          onAddMetric={() => go('metrics')}
        />
      </Suspense>
      <Panel title="Analysis">
        <AnalysisFields {...fields} />
      </Panel>
    </>
  )
}

function VariantFields({ choices, made, problems }: Pick<StepFieldsProps, 'choices' | 'made' | 'problems'>) {
  const { draft, newFlag, variants, change } = made
  const fields = { draft, problems, onChange: change }
  return (
    <>
      <Panel title="Flag and variants">
        <div className="flex flex-col gap-4">
          <FlagFields
            flags={choices.flags}
            chosen={draft.flag}
            newFlag={newFlag}
            problems={problems}
            onChoose={made.chooseFlag}
            onNewFlag={made.putNewFlag}
          />
          {variants.length > 0 && (
            <ControlField
              variants={variants}
              control={draft.control}
              problems={problems}
              onChange={(control) => change({ control })}
            />
          )}
        </div>
      </Panel>
      <Panel title="Exposures" description="Who counts, and from when on.">
        <div className="flex flex-col gap-4">
          <ExposureFields {...fields} />
          {draft.kind !== 'bandit' && <SeveralVariantsField {...fields} />}
        </div>
      </Panel>
    </>
  )
}

const Problems = ({ problems }: { problems: ExperimentProblems }) =>
  [...new Set(Object.values(problems))].map((problem) => <FormError key={problem} title={problem} />)

function useCreation(slug: string, { draft, newFlag }: Made, go: (step: NewStep) => void) {
  const router = useNavigation()
  const showToast = useToast()
  const [problems, setProblems] = useState<ExperimentProblems>({})
  const [isPending, startTransition] = useTransition()

  const create = () =>
    startTransition(async () => {
      const answer = await withNetworkErrors(() =>
        createExperiment(slug, inputOf(draft), newFlag && flagInputOf(newFlag)),
      )
      if (!answer.done) {
        const found = fieldProblems(answer.problems)
        setProblems(found)
        const [first] = stepsWithProblems(found)
        if (first) go(first)
        return
      }
      showToast({ title: `${draft.name} is created`, tone: 'success' })
      router.push(paths.experimentSettings(slug, answer.id))
    })
  return { create, problems, isPending }
}

const flagInputOf = ({ key, variants }: NewFlagDraft) => ({
  key: key.trim(),
  variants: variants.map(({ id: _, ...variant }) => variant),
})
