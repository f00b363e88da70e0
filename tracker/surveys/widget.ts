import { commonKinds } from '#surveys/kinds/common-kinds'
import { findIn } from '#surveys/kinds/kind-rules'
import {
  MountedSurvey,
  refusalOf,
  type ServedSurvey,
  type SubmissionStorage,
  type SurveyMessage,
} from '#surveys/run/mounted-survey'
import { shadowHost } from '#surveys/run/shadow-host'
import { commonRules } from '#surveys/survey-styles'
import type * as More from './more'
import { keepClear } from './placement'

/** A survey as the list of running surveys has it. */
export interface WidgetSurvey extends ServedSurvey {
  /** The styles of the survey. */
  sheet: string
}

interface DueSurvey {
  survey: WidgetSurvey
  /** The visitor has asked for it. */
  isInvited: boolean
  storage: SubmissionStorage
  send: (message: SurveyMessage) => Promise<Response>
  /** The survey was answered to its end, or dismissed. */
  finished: () => void
  /** The survey's box is gone. */
  closed: () => void
}

let more: typeof More | undefined

/** Loads what the widget does without for most surveys. */
async function loadMore(): Promise<void> {
  // the build makes it of `more.ts`
  more ??= (await import(new URL('part-survey-more.js', import.meta.url).href)) as typeof more
}

const needsMore = ({ content: { questions, shufflesQuestions, hiddenFields } }: WidgetSurvey): boolean =>
  shufflesQuestions ||
  !!hiddenFields[0] ||
  questions.some(
    (question) =>
      !(question.kind in commonKinds) || ('shufflesChoices' in question && question.shufflesChoices),
  )

const boxRules = `.box{position:fixed;margin:auto;height:fit-content;z-index:9999;width:min(100vw - 2rem,var(--tilth-box-width));max-height:calc(100vh - 2rem);overflow:auto}
.box>section{box-shadow:0 8px 30px #0003}
@media (prefers-reduced-motion:no-preference){.box{animation:tilth-in .2s}}
@keyframes tilth-in{from{opacity:0;translate:0 8px}}`

/** Opens the survey in a box over the page. */
export async function openSurvey({
  survey,
  isInvited,
  storage,
  send,
  finished,
  closed,
}: DueSurvey): Promise<MountedSurvey> {
  if (needsMore(survey)) await loadMore()
  const { position, maxWidthPx } = survey.content.appearance
  const { element, root } = shadowHost(
    commonRules +
      (more?.rareRules ?? '') +
      survey.sheet +
      boxRules +
      `.box{--tilth-box-width:${maxWidthPx}px}`,
  )
  element.dataset.tilthSurvey = survey.id
  root.className = 'box'
  document.body.append(element)
  // a focused element has a method `focus`
  const before = document.activeElement as HTMLElement | null
  const mounted = new MountedSurvey({
    survey,
    root,
    canClose: true,
    fields: more?.givenFields(survey),
    find: findIn(commonKinds, more?.rareKinds ?? {}),
    arrange: more?.arrangeContent,
    storage,
    send: (message) => refusalOf(send(message), survey.words),
    closed(isDone) {
      finished()
      // the thanks stay until they are closed
      if (isDone && root.firstChild) return
      stopPlacing()
      const hadFocus = document.activeElement === element
      element.remove()
      if (hadFocus) before?.focus()
      closed()
    },
  })
  const stopPlacing = keepClear(root, position)
  mounted.send('shown')
  if (isInvited) root.querySelector<HTMLElement>('[data-close]')?.focus()
  return mounted
}
