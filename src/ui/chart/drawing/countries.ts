/** The shapes of the atlas (world-atlas, numbered by ISO 3166-1) by country. Kosovo has no number there. */
const numbered = `
AF004 AL008 DZ012 AO024 AR032 AM051 AU036 AT040 AZ031 BS044 BD050 BY112 BE056 BZ084 BJ204 BT064 BO068
BA070 BW072 BR076 BN096 BG100 BF854 BI108 KH116 CM120 CA124 CF140 TD148 CL152 CN156 CO170 CG178 CD180
CR188 CI384 HR191 CU192 CY196 CZ203 DK208 DJ262 DO214 EC218 EG818 SV222 GQ226 ER232 EE233 SZ748 ET231
FK238 FJ242 FI246 FR250 TF260 GA266 GM270 GE268 DE276 GH288 GR300 GL304 GT320 GN324 GW624 GY328 HT332
HN340 HU348 IS352 IN356 ID360 IR364 IQ368 IE372 IL376 IT380 JM388 JP392 JO400 KZ398 KE404 KP408 KR410
KW414 KG417 LA418 LV428 LB422 LS426 LR430 LY434 LT440 LU442 MG450 MW454 MY458 ML466 MR478 MX484 MD498
MN496 ME499 MA504 MZ508 MM104 NA516 NP524 NL528 NC540 NZ554 NI558 NE562 NG566 MK807 NO578 OM512 PK586
PS275 PA591 PG598 PY600 PE604 PH608 PL616 PT620 PR630 QA634 RO642 RU643 RW646 SA682 SN686 RS688 SL694
SK703 SI705 SB090 SO706 ZA710 SS728 ES724 LK144 SD729 SR740 SE752 CH756 SY760 TW158 TJ762 TZ834 TH764
TL626 TG768 TT780 TN788 TR792 TM795 UG800 UA804 AE784 GB826 US840 UY858 UZ860 VU548 VE862 VN704 EH732
YE887 ZM894 ZW716`

export const codeByNumber: ReadonlyMap<string, string> = new Map(
  numbered
    .trim()
    .split(/\s+/)
    .map((entry) => [entry.slice(2), entry.slice(0, 2)]),
)

/** Countries too small to have a shape at this scale are dots: longitude and latitude. */
export const dots: Readonly<Record<string, readonly [longitude: number, latitude: number]>> = {
  AD: [1.6, 42.5],
  AG: [-61.8, 17.3],
  AI: [-63.1, 18.2],
  AS: [-170.7, -14.3],
  AW: [-70, 12.5],
  AX: [20, 60.2],
  BB: [-59.6, 13.2],
  BH: [50.5, 26],
  BL: [-62.8, 17.9],
  BM: [-64.8, 32.3],
  BQ: [-68.3, 12.2],
  CC: [96.9, -12.2],
  CK: [-159.8, -21.2],
  CV: [-24, 16],
  CW: [-69, 12.2],
  CX: [105.6, -10.5],
  DM: [-61.4, 15.4],
  FM: [153.3, 7.5],
  FO: [-6.9, 62.1],
  GD: [-61.7, 12.1],
  GF: [-53.1, 4],
  GG: [-2.6, 49.5],
  GI: [-5.4, 36.1],
  GP: [-61.5, 16.2],
  GU: [144.8, 13.4],
  HK: [114.1, 22.4],
  IM: [-4.5, 54.2],
  IO: [72.4, -7.3],
  JE: [-2.1, 49.2],
  KI: [-167.9, 0.9],
  KM: [43.7, -11.9],
  KN: [-62.7, 17.3],
  KY: [-80.9, 19.4],
  LC: [-61, 13.9],
  LI: [9.5, 47.1],
  MC: [7.4, 43.8],
  MF: [-63.1, 18.1],
  MH: [170.3, 7],
  MO: [113.5, 22.2],
  MP: [145.6, 15.8],
  MQ: [-61, 14.6],
  MS: [-62.2, 16.7],
  MT: [14.4, 35.9],
  MU: [57.6, -20.3],
  MV: [73.5, 3.7],
  NF: [167.9, -29.1],
  NR: [166.9, -0.5],
  NU: [-169.9, -19],
  PF: [-144.8, -14.7],
  PM: [-56.3, 46.9],
  PN: [-128.3, -24.4],
  PW: [134.4, 7.3],
  RE: [55.5, -21.1],
  SC: [55.5, -4.7],
  SG: [103.8, 1.4],
  SH: [-9.7, -12.4],
  SJ: [16, 78.5],
  SM: [12.5, 43.9],
  ST: [6.7, 0.4],
  SX: [-63.1, 18.1],
  TC: [-72, 21.8],
  TK: [-171.8, -9.2],
  TO: [-174.8, -20.4],
  TV: [179.2, -8.5],
  VA: [12.4, 41.9],
  VC: [-61.2, 13.2],
  VG: [-64.5, 18.5],
  VI: [-64.8, 18],
  WF: [-177.3, -13.9],
  WS: [-172.2, -13.8],
  YT: [45.2, -12.8],
}
