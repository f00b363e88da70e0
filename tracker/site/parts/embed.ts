import { mayBeFramed } from '#posts/embed-origins'

/** Other sites get no request before the visitor asks for their content. */
addEventListener('click', (event) => {
  const { target } = event
  const button = target instanceof Element && target.closest<HTMLElement>('[data-embed]')
  const address = button && addressIn(button.dataset.embed)
  if (!address) return
  event.preventDefault()
  play(button, address)
})

function addressIn(text = ''): URL | undefined {
  // an address of ours is whole
  const address = /^https:\/\/[^/]+\//.test(text) ? new URL(text) : undefined
  return address && mayBeFramed(address) ? address : undefined
}

const sandbox =
  'allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation allow-same-origin allow-scripts'

function play(button: HTMLElement, address: URL): void {
  const frame = document.createElement('iframe')
  frame.src = address.href
  frame.title = (button.querySelector('.embed-title') ?? button).textContent
  frame.allow = 'autoplay; clipboard-write; encrypted-media; fullscreen; picture-in-picture'
  frame.allowFullscreen = true
  // a frame may do anything but leave this page
  frame.setAttribute('sandbox', sandbox)
  frame.referrerPolicy = 'strict-origin-when-cross-origin'
  frame.className = button.className
  button.replaceWith(frame)
  frame.focus()
}
