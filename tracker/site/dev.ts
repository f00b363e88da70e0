const { shown = '' } = (document.currentScript as HTMLScriptElement).dataset

/** Shows each change of the site folder at once, and one that came before this script did. */
new EventSource(`/_tilth/site-changes?shown=${shown}`).addEventListener('message', () => location.reload())
