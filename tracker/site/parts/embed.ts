/** Whose players may stand in a page. The page's own policy says the same. */
const hosts = ['www.youtube-nocookie.com', 'player.vimeo.com']

/** Nothing is asked of anybody else before somebody wants to see it. */
addEventListener('click', (event) => {
  const { target } = event
  const button = target instanceof Element && target.closest<HTMLElement>('[data-embed]')
  const address = button && addressIn(button.dataset.embed)
  if (!address) return
  event.preventDefault()
  play(button, address)
})

function addressIn(said = ''): URL | undefined {
  // an address of ours is whole
  const address = /^https:\/\/[^/]+\//.test(said) ? new URL(said) : undefined
  return address && hosts.includes(address.host) ? address : undefined
}

function play(button: HTMLElement, address: URL): void {
  const frame = document.createElement('iframe')
  frame.src = address.href
  frame.title = (button.querySelector('.embed-title') ?? button).textContent
  frame.allow = 'autoplay; fullscreen; picture-in-picture'
  frame.allowFullscreen = true
  frame.referrerPolicy = 'strict-origin-when-cross-origin'
  frame.className = button.className
  button.replaceWith(frame)
  frame.focus()
}
