import { Overlay, type ScriptPlace } from './overlay'

const { shown = '' } = (document.currentScript as HTMLScriptElement).dataset

/** Shows each change of the site folder at once, and one that came before this script did. */
new EventSource(`/_tilth/site-changes?shown=${shown}`).addEventListener('message', () => location.reload())

const overlay = new Overlay()

/** A mistake that the server has found. */
class ProblemElement extends HTMLElement {
  connectedCallback(): void {
    // the server has written it
    overlay.add(this, JSON.parse(this.dataset.problem ?? ''))
  }

  disconnectedCallback(): void {
    overlay.remove(this)
  }
}
customElements.define('tilth-problem', ProblemElement)

addEventListener('error', ({ error }) => showError(error))
addEventListener('unhandledrejection', ({ reason }) => showError(reason))

/** An exception of a script that the site folder has; islands add the components around it. */
function showError(problem: unknown): void {
  if (!(problem instanceof Error)) return
  const { message, stack = '', componentStack = '' } = problem as Error & { componentStack?: string }
  const places = [...placesIn(stack), ...placesIn(componentStack)]
  const names = componentStack.matchAll(/^ *(?:at )?([A-Z][\w.$]*)/gm)
  const components = Array.from(names, ([, name = '']) => name)
  if (places.length > 0) overlay.add(problem, { message, places, components })
}

/** The files of React stand in stacks between those of the team. */
const placesIn = (stack: string): ScriptPlace[] =>
  Array.from(
    stack.matchAll(/\/_tilth\/site\/((?!react-)[\w-]+\.js):(\d+):(\d+)/g),
    ([, script = '', line, column]) => ({ script, line: Number(line), column: Number(column) }),
  )
