import type { PageEvent } from '#surveys/run/triggers'
import type { DeviceType } from '#surveys/survey'
import type { WidgetSurvey } from './widget'
import { shadowHost } from '#surveys/run/shadow-host'

/** Parts for surveys that wait for events or clicks, or that visitors open by themselves. */
export { triggersOn } from '#surveys/run/triggers'

export function clickOn(target: Element): PageEvent {
  const link = target.closest<HTMLElement>('a, button') ?? target
  return {
    name: '$autocapture',
    properties: {},
    url: location.href,
    element: {
      matches: (selector) => {
        try {
          return target.closest(selector) !== null
        } catch {
          return false
        }
      },
      text: (link.textContent ?? '').trim(),
      href: link instanceof HTMLAnchorElement ? link.href : '',
    },
  }
}

export const deviceType = (): DeviceType => {
  const { userAgent, maxTouchPoints } = navigator
  if (/iPad|Tablet|Android(?!.*Mobi)/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1))
    return 'Tablet'
  return /Mobi|iPhone/.test(userAgent) ? 'Mobile' : 'Desktop'
}

const tabs = new Map<string, Element>()

/** Shows the tab of a survey while the visitor may open it. */
export function keepTab(survey: WidgetSurvey, isShown: boolean, open: () => unknown): void {
  const { id } = survey
  if (!isShown) {
    tabs.get(id)?.remove()
    tabs.delete(id)
  } else if (!tabs.has(id)) tabs.set(id, addTab(survey, open))
}

function addTab({ placement, content, name }: WidgetSurvey, open: () => unknown): Element {
  const { element, root } = shadowHost(
    `button{position:fixed;z-index:9998;inset-block-start:40%;inset-inline-end:0;writing-mode:vertical-rl;min-width:2.75rem;padding:1rem .5rem;border:0;border-radius:8px 0 0 8px;cursor:pointer;font:600 1rem system-ui;background:var(--c);color:var(--t)}`,
  )
  const button = document.createElement('button')
  const { label = '', color = '' } = placement.kind === 'tab' ? placement : {}
  button.style.setProperty('--c', color || content.appearance.buttonColor)
  button.style.setProperty('--t', content.appearance.buttonTextColor)
  button.textContent = label || name
  button.addEventListener('click', open)
  root.append(button)
  document.body.append(element)
  return element
}
