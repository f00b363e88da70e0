/** Hides what depends on a flag until it is decided, for half a second at most. */
const style =
  '<style>@keyframes tilth{0%,to{visibility:hidden}}[data-tilth-flag]:not([data-tilth-was]){animation:tilth .5s}</style>'

/** `tracker/flags/head.ts` as it is built: shows at once what the last page kept. */
const script = `(()=>{var s="[data-tilth-flag]:not([data-tilth-was])";function a(e,t){let{dataset:o}=e,{tilthVariant:n}=o,l=o.tilthWas??=""+e.hidden;e.hidden=t==null||n!=null&&typeof t!="string"?l=="true":n!=null?t!=n:!t==!("tilthOff"in o)}try{let{until:e,flags:t}=JSON.parse(localStorage.tilth_flags),o=new Map(t);e>Date.now()&&new MutationObserver(()=>{for(let n of document.querySelectorAll(s)){let l=o.get(n.dataset.tilthFlag);l!=null&&a(n,l)}}).observe(document,{childList:!0,subtree:!0})}catch{}})();`

/** Stands in the head of pages with flags, so that they do not flicker. */
export const flagsHead = `${style}
<script>${script}</script>`
