/** Words that say nothing about what an answer is about. Negations stay: "not clear" is a finding. */
const english = `
a about above after again all also am an and any are as at be because been before being below between both but by can
could did do does doing down during each few for from further get got had has have having he her here hers him his how i
i'd i'll i'm i've if in into is it it's its itself just let like me more most my myself of off on once only or other our
ours out over own really same she should so some such than that that's the their theirs them then there these they they're
this those through to too under until up very was we were what when where which while who why will with would you you're
your yours
`
const german = `
ab aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da dadurch daher
dann daran darauf das dass dazu dein deine dem den denn der des dessen deshalb die dies diese diesem diesen dieser dieses doch
dort du durch ein eine einem einen einer eines einfach er es etwas euch euer für gegen ganz gibt hab habe haben hat hatte
hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren im in ins ist ja jede jedem jeden jeder jedes jetzt kann können
könnte man mal mehr mein meine meinem meinen meiner mich mir mit muss nach noch nun nur ob oder ohne schon sehr sein seine
seinem seinen seiner seit sich sie sind so soll sollte sonst über um und uns unser unsere unter viel vom von vor war waren
was weil welche wenn werden wer wie wieder wir wird wo wurde würde zu zum zur zwischen
`

export const stopWords: ReadonlySet<string> = new Set(`${english} ${german}`.split(/\s+/).filter(Boolean))
