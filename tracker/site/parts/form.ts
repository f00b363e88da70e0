interface FormResponse {
  sent: boolean
  /** Whether a letter asks to confirm the address. */
  confirms?: boolean
  /** By the names of the fields they are about. */
  mistakes?: Record<string, string>
}

/** Forms that are sent as they would be without this script. */
const plain = new WeakSet<HTMLFormElement>()

/** Sends forms without leaving the page. Whatever goes wrong, they are sent as they would be without this. */
addEventListener('submit', (event) => {
  const { target: form, submitter, defaultPrevented } = event
  if (defaultPrevented || !(form instanceof HTMLFormElement) || !form.matches('[action^="/_tilth/forms/"]'))
    return
  if (plain.has(form)) return
  event.preventDefault()
  void send(form, submitter)
})

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  // of a form of ours every value is a text
  const fields = [...new FormData(form, submitter)] as [string, string][]
  form.ariaBusy = 'true'
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams(fields),
    })
    // by the server's own function
    const { sent, confirms, mistakes } = (await response.json()) as FormResponse
    if (sent) thank(form, confirms ? 'confirm' : '')
    else if (!mistakes || !mend(form, mistakes)) throw mistakes
  } catch {
    plain.add(form)
    // with the button that was pressed: it may be the answer
    form.requestSubmit(submitter)
  }
  form.ariaBusy = null
}

/** Shows the thanks for the form, as the address of the page does without a script. */
function thank(form: HTMLFormElement, kind: 'confirm' | ''): void {
  const find = (selector: string) => form.querySelector<HTMLElement>(selector)
  const thanks = find(`[data-thanks="${kind}"]`) ?? find('[data-thanks]') ?? form
  form.dataset.sent = thanks.dataset.thanks ?? ''
  thanks.hidden = false
  thanks.tabIndex = -1
  thanks.focus()
}

/** The browser shows it beside the field, until that is changed. */
function mend(form: HTMLFormElement, mistakes: Record<string, string>): boolean {
  const [field] = Object.entries(mistakes).flatMap(([name, mistake]) => {
    const found = form.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]:not([type=hidden])`)
    found?.setCustomValidity(mistake)
    found?.addEventListener('input', () => found.setCustomValidity(''), { once: true })
    return found ?? []
  })
  return field !== undefined && !field.reportValidity()
}
