/** Dispatched before a page is loaded again because an asset is missing. A listener that prevents it keeps the page. */
export const assetFailed = 'tilth:asset-failed'
