// SPDX-License-Identifier: Apache-2.0
//
// The style of the page and its search script. The script contains neither `<` nor `&`, so that the page is XML as
// well.
//
// The page is one file without external parts, so it can be sent, kept, and opened from a disk. Colours
// follow the reader's system. Without scripts only the search is missing.
#include "isa/doc/html.h"

#include "support/ascii.h"

namespace vireo::isa {

std::string slug_of(std::string_view name) {
  // Cut long names; Anchors then numbers equal slugs.
  constexpr std::size_t longest = 80;
  std::string slug;
  for (const char c : name.substr(0, longest)) {
    // These characters need no escape in a fragment. `~` is not among them, so different short names have different
    // slugs.
    const bool is_plain = is_letter(c) || is_digit(c) || c == '.' || c == '_' || c == '-';
    if (is_plain) {
      slug += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    slug += '~';
    slug += "0123456789abcdef"[byte >> 4];
    slug += "0123456789abcdef"[byte & 0xF];
  }
  return slug;
}

// `content-visibility` lets a browser show the first article before it lays out the others. Names break anywhere, since
// some are as long as a line. In print there are no index and no colours, and articles that fit a page are not split.
std::string_view page_style() {
  return R"(:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,sans-serif;color:#1c2330;background:#fff;display:grid;
grid-template-columns:17rem minmax(0,1fr);grid-template-areas:"head head" "nav main"}
header{grid-area:head;padding:1rem 1.5rem;border-bottom:1px solid #d5dae1}
header h1{margin:0;font-size:1.5rem}header p{margin:.2rem 0;color:#5b6675}
.tools{margin-top:.5rem}.tools input{font:inherit;padding:.25rem .5rem;border:1px solid #8a94a3;border-radius:4px;
color:inherit;background:transparent}
#q{width:24rem;max-width:60vw}#g{width:9rem}
nav{grid-area:nav;position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:1rem;
border-right:1px solid #d5dae1;font-size:13px}
nav ul{list-style:none;margin:0 0 .5rem;padding:0 0 0 .8rem;columns:2;column-gap:.6rem}nav li{overflow-wrap:anywhere}
summary{cursor:pointer;font-weight:600;overflow-wrap:anywhere}
main{grid-area:main;padding:0 1.5rem 4rem;min-width:0}
h2{margin:2.5rem 0 .5rem;padding-top:.5rem;border-top:3px solid #d5dae1;overflow-wrap:anywhere}
h3{margin:0;font-size:1.1rem;overflow-wrap:anywhere}
article{margin:1rem 0;padding:.8rem 1rem;border:1px solid #d5dae1;border-radius:8px;content-visibility:auto;
contain-intrinsic-size:auto 400px}
article:target{outline:3px solid #3b82f6}
.variant+.variant{margin-top:1rem;border-top:1px dashed #d5dae1;padding-top:.8rem}
.badge{display:inline-block;font-size:12px;font-weight:400;padding:0 .5rem;border-radius:1rem;background:#e4ecf8;
margin-left:.4rem}
.chain,.note{color:#5b6675;font-size:13px;margin:.1rem 0}.doc{white-space:pre-line}
figure{margin:.6rem 0;overflow-x:auto}table{border-collapse:collapse;margin:.4rem 0;font-size:13px}
.wide{overflow-x:auto}th{text-align:left;color:#5b6675;font-weight:600}
th,td{padding:.15rem .7rem .15rem 0;border-bottom:1px solid #e6e9ee;vertical-align:top}
code{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
h3 code{font-size:1.1rem;font-weight:700}
a{color:#1452b8;text-decoration:none}a:hover{text-decoration:underline}[hidden]{display:none!important}
@media(prefers-color-scheme:dark){body{color:#e6e9ef;background:#12161c}
header,nav,h2,article,.variant+.variant,th,td{border-color:#323a46}header p,.chain,.note,th{color:#9aa5b4}
.badge{background:#24344d}a{color:#8ab8ff}}
@media(max-width:50rem){body{display:block}nav{position:static;max-height:16rem;border-right:0}}
@media print{nav,.tools{display:none}body{display:block;color:#000;background:#fff}
article{break-inside:avoid;content-visibility:visible}a{color:inherit}.bits text{fill:#000!important}
.bits rect{fill:none!important}}
)";
}

// The script converts article texts to lower case once, not at every key press. It cannot contain `<` or `&` (see
// above), so comparisons are reversed and conjunctions use `?:`.
std::string_view page_script() {
  return R"((function () {
  var query = document.getElementById('q'), generation = document.getElementById('g');
  var list = function (selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); };
  var articles = list('article'), texts = articles.map(function (a) { return a.textContent.toLowerCase(); });
  var links = list('nav li a'), groups = list('main section');
  function lies_in(variant, gen) {
    return gen === '' || !(Number(variant.dataset.min) > Number(gen) || Number(gen) > Number(variant.dataset.max));
  }
  function find() {
    var words = query.value.toLowerCase().split(' '), gen = generation.value, shown = {};
    articles.forEach(function (article, i) {
      var found = words.every(function (word) { return texts[i].indexOf(word) !== -1; });
      var variants = Array.prototype.slice.call(article.querySelectorAll('.variant')), left = variants.length === 0;
      variants.forEach(function (variant) {
        variant.hidden = !lies_in(variant, gen);
        if (!variant.hidden) { left = true; }
      });
      article.hidden = !(found ? left : false);
      shown[article.id] = !article.hidden;
    });
    links.forEach(function (link) { link.parentNode.hidden = shown[link.getAttribute('href').slice(1)] === false; });
    groups.forEach(function (group) { group.hidden = !group.querySelector('article:not([hidden])'); });
    list('nav details').forEach(function (part) { part.hidden = !part.querySelector('li:not([hidden])'); });
  }
  document.querySelector('.tools').hidden = false;
  query.addEventListener('input', find);
  generation.addEventListener('input', find);
  document.addEventListener('keydown', function (event) {
    if (event.key === '/' ? document.activeElement.tagName !== 'INPUT' : false) { event.preventDefault(); query.focus(); }
  });
})();
)";
}

}  // namespace vireo::isa
