#include "apps/report/page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/report/assets.hpp"
#include "compiler/support/xml.hpp"

namespace proxima::report {
namespace {

// The page may run what it carries and nothing else: a browser that keeps to this asks nobody for anything.
constexpr const char* policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

constexpr const char* controls = R"(<div id="controls" hidden>
<button id="play" type="button">Play</button>
<input id="scrub" type="range" min="0" value="0" step="1" aria-label="Frame">
<output id="when" for="scrub"></output>
<label>Colour <select id="field"></select></label>
<label>over <select id="range"><option value="motion">the whole motion</option><option value="frame">this frame</option></select></label>
<label>Speed <select id="speed"><option value="0.01">0.01 x</option><option value="0.02">0.02 x</option><option value="0.05">0.05 x</option><option value="0.1">0.1 x</option><option value="0.2">0.2 x</option><option value="0.5">0.5 x</option><option value="1">1 x</option><option value="2">2 x</option><option value="5">5 x</option><option value="10">10 x</option></select></label>
<label><input id="edges" type="checkbox"> Element edges</label>
<button id="reset" type="button">Reset view</button>
</div>
<p class="keys">Drag to turn, wheel to zoom, right button to shift. With the picture selected: arrows turn, + and - zoom,
space plays, comma and full stop go by one frame, Home and End to the ends, r resets.</p>
)";

std::string paragraph(const char* name, const std::string& text) {
  return text.empty() ? "" : fmt::format("<p class=\"{}\">{}</p>\n", name, escape_xml(text));
}

std::string row_html(const char* cell, const std::vector<std::string>& values) {
  std::string html = "<tr>";
  for (const auto& value : values) html += fmt::format("<{0}>{1}</{0}>", cell, escape_xml(value));
  return html + "</tr>\n";
}

std::string table_html(const Table& table) {
  std::string html = table.title.empty() ? "" : fmt::format("<h3>{}</h3>\n", escape_xml(table.title));
  html += "<div class=\"table\"><table>\n";
  if (!table.columns.empty()) html += row_html("th", table.columns);
  for (const auto& row : table.rows) html += row_html("td", row);
  return html + "</table></div>\n";
}

std::string picture_html(const Picture& picture) {
  static constexpr const char* axes[] = {"", " data-x=\"step\"", " data-x=\"time\""};
  return fmt::format("<figure{}>\n{}</figure>\n", axes[static_cast<int>(picture.x)], picture.svg);
}

std::string section_html(const Section& section) {
  std::string html =
      fmt::format("<section>\n<h2>{}</h2>\n", escape_xml(section.title)) + paragraph("text", section.text);
  if (!section.pictures.empty()) html += "<div class=\"pictures\">\n";
  for (const Picture& picture : section.pictures) html += picture_html(picture);
  if (!section.pictures.empty()) html += "</div>\n";
  for (const Table& table : section.tables) html += table_html(table);
  return html + "</section>\n";
}

// In a script element nothing may look like its end; in JSON any character may be written as an escape.
std::string script_json(const nlohmann::ordered_json& json) {
  std::string text = json.dump();
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

std::string view_html(const Page& page) {
  if (!page.motion)
    return fmt::format("<div id=\"stage\"><p id=\"no-view\">{}</p></div>\n", escape_xml(page.no_motion));
  Rounding rounding;
  const auto json = encode(*page.motion, rounding);
  std::string html =
      "<div id=\"stage\"><p id=\"no-view\">The body moves here where scripts may run.</p><div "
      "id=\"bar\"></div></div>\n";
  html += controls;
  html += fmt::format(
      "<p class=\"keys\">Only the surface is shown. Positions are rounded by at most {:.1e} m along each axis, colours "
      "to "
      "254 parts of what a field spans in a frame.</p>\n",
      rounding.position);
  return html + "<script type=\"application/json\" id=\"motion\">" + script_json(json) + "</script>\n";
}

std::string scripts(const Page& page) {
  std::string html;
  if (page.motion)
    for (const auto text : {asset_three_min_js(), asset_OrbitControls_js()})
      html += fmt::format("<script>{}</script>\n", text);
  html += "<script>\n\"use strict\";\n(() => {\n";
  for (const auto text :
       {asset_data_js(), asset_colours_js(), asset_view_js(), asset_player_js(), asset_pictures_js(), asset_main_js()})
    html += text;
  return html + "})();\n</script>\n";
}

}  // namespace

std::string to_html(const Page& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
      policy, escape_xml(page.title), asset_style_css());
  html += fmt::format("<header>\n<h1>{}</h1>\n<button id=\"theme\" type=\"button\">Light or dark</button>\n</header>\n",
                      escape_xml(page.title));
  html += paragraph("summary", page.summary);
  if (!page.notes.empty()) {
    html += "<ul class=\"notes\">\n";
    for (const auto& note : page.notes) html += fmt::format("<li>{}</li>\n", escape_xml(note));
    html += "</ul>\n";
  }
  html += view_html(page);
  for (const Section& section : page.sections) html += section_html(section);
  if (page.motion)
    html += fmt::format(
        "<footer>\n<details><summary>Licence of the 3-D library in this "
        "file</summary>\n<pre>{}</pre></details>\n</footer>\n",
        escape_xml(asset_three_license_txt()));
  return html + scripts(page) + "</body>\n</html>\n";
}

}  // namespace proxima::report
